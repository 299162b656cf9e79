update social.profile
set statuses_count = written.statuses, last_status_id = written.newest, last_unrestricted_id = written.newest, id_watermark = written.newest
from (select author_id, count(*)::int as statuses, max(id) as newest from social.status group by author_id) as written
where written.author_id = profile.user_id
