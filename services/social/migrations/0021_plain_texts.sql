-- Up Migration

-- Twitter writes & < > as &amp; &lt; &gt;, and imports stored that; now they decode it. A text was certainly escaped if it came from there,
-- if it holds none of these characters otherwise, and if its id is none of a system like this one, whose texts are as they were typed.
-- Reposts made here have the text of their original.
-- A function, since a cluster takes no correlated subquery over a list.
create function social.plain_entities(text text, entities jsonb) returns jsonb language sql immutable as $function$
  select jsonb_object_agg(list.key, (
    select coalesce(jsonb_agg(entity || jsonb_build_object('indices', (
      select jsonb_agg(
        length(replace(replace(replace(left(text, place::integer), '&lt;', '<'), '&gt;', '>'), '&amp;', '&'))
        order by number)
      from jsonb_array_elements_text(entity -> 'indices') with ordinality as places (place, number)
    )) order by number), '[]')
    from jsonb_array_elements(list.value) with ordinality as entities_of_list (entity, number)
  ))
  from jsonb_each(entities) as list
$function$;

update social.profile set content_version = content_version + 1
where user_id in (select author_id from social.status where text ~ '&(amp|lt|gt);');

update social.status set
  text = replace(replace(replace(text, '&lt;', '<'), '&gt;', '>'), '&amp;', '&'),
  entities = social.plain_entities(text, entities)
where text ~ '&(amp|lt|gt);' and text !~ '[<>]|&(?!(amp|lt|gt);)'
  and (
    origin = 'twitter' and case
      when origin_id ~ '^[1-9][0-9]{12,15}$' then
        -- By intervals: a cluster takes only immutable functions here. Dates in files have whole seconds.
        (origin_id::bigint >> 12) * interval '1 millisecond'
          not between created_at - timestamptz '2006-01-01 00:00:01+00'
            and created_at - timestamptz '2006-01-01 00:00:00+00' + interval '1 day'
      else true
    end
    or origin is null and (repost_of_author_id, repost_of_id) in (
      select author_id, id from social.status
      where origin = 'twitter' and origin_id !~ '^[1-9][0-9]{12,15}$' and text ~ '&(amp|lt|gt);'
        and text !~ '[<>]|&(?!(amp|lt|gt);)'
    )
  );

drop function social.plain_entities(text, jsonb);
