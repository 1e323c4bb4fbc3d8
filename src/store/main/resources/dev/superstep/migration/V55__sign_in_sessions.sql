-- Who has signed in at the console. Of the id that the browser's cookie has, only the SHA-256 digest is stored: it has
-- 256 random bits. A replica of before does not know these sessions nor the addresses of signing in: name the client in the
-- settings when all replicas are new.
create table sign_in_session (
  digest     bytea primary key,
  issuer     text not null,
  tenant     text collate "C" not null,
  caller     text collate "C" not null,
  claims     text not null,
  id_token   text,
  created_at timestamptz not null,
  used_at    timestamptz not null,
  expires_at timestamptz not null,
  ended_at   timestamptz
);
comment on column sign_in_session.caller is 'The id of the caller, as tokens of the issuer give it.';
comment on column sign_in_session.claims is 'Of the token that said what the caller may do, as JSON; emptied when the session is ended.';
comment on column sign_in_session.id_token is 'Tells the provider who signs out.';
comment on column sign_in_session.used_at is 'To some minutes.';
comment on column sign_in_session.ended_at is 'When somebody signed out; the row stays for a minute, until the provider has been told.';
