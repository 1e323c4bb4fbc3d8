-- Callbacks (E51) are tasks that nobody claims: they are `awaited` until somebody outside answers under a token, or the
-- time in `start_until` is over; `end_until` is their deadline. Releases before read no graph that has some, and leave
-- such rows alone.
create index task_awaited on task (start_until) where state = 'awaited';
