-- Which release can read a run: the newest form of anything that is stored for it. A replica leaves
-- runs of a newer form than it reads to others. A release that writes form n sets this to n in the
-- statements that write it; the form that every release so far writes is 1.
alter table run add column form smallint not null default 1;
