-- In a transaction of its own: V47 has locked the table for its columns, and readers shall not wait for the index.
create index thread_described_by on thread (described_by) where described_by is not null;
