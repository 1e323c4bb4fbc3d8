-- What a run is part of, as the request said that started it: W3C trace context.
alter table run_input add column traceparent text collate "C";
