insert into social.screen_name (name_key, user_id) select lower(screen_name), user_id from social.profile
