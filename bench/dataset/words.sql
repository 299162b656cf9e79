insert into social.status_word (word, id, author_id)
select unnest(words) collate "C", id, author_id from social.status order by 1, 2, 3
