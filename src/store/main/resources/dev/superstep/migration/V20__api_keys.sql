-- Keys that are made over the API. Of what a bearer sends, only the SHA-256 digest is stored: it has
-- 256 random bits, which no dictionary holds.
create table api_key (
    id           text collate "C" primary key,
    name         text collate "C" not null unique,
    digest       bytea not null,
    scopes       text not null,
    created_at   timestamptz not null,
    created_by   text collate "C" not null,
    expires_at   timestamptz,
    last_used_at timestamptz
);
comment on column api_key.scopes is 'Separated by spaces: read, run, author, operate.';
comment on column api_key.last_used_at is 'To some minutes.';
