-- Whose something is, by its id: what stands before the first slash, else the default tenant. Without a search path of
-- its own, and of built-in functions alone, so that the server puts its text in place of a call.
create function tenant_of(id text) returns text language sql immutable parallel safe as $$
  select case when strpos(id, '/') > 0 then split_part(id, '/', 1) else 'default' end
$$;

-- The same of a namespace of the memory, whose labels may have slashes: of other tenants than the default one the first
-- label is empty, which clients cannot write, and the second one the tenant.
create function tenant_of_namespace(namespace text) returns text language sql immutable parallel safe as $$
  select case when left(namespace, 1) = '.' then split_part(namespace, '.', 2) else 'default' end
$$;

-- What a tenant lists, newest first. What belongs to the default tenant is in none of them, and costs nothing here: lists
-- of the default tenant take the indexes of before.
create index run_of_tenant on run (tenant_of(id), created_at desc, id desc) where strpos(id, '/') > 0;
create index thread_of_tenant on thread (tenant_of(id), created_at desc, id desc) where strpos(id, '/') > 0;
create index interrupt_of_tenant on interrupt (tenant_of(run), created_at desc, id desc) where strpos(run, '/') > 0;
create index graph_of_tenant on graph (tenant_of(name), updated_at desc, name) where strpos(name, '/') > 0;
