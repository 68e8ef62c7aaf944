-- Functions that every table relies on. Applied before the first migration; replaced when this file changes.

-- Two-character pieces of a text, lower case, for "contains" searches with a GIN index. PostgreSQL's own trigrams
-- skip Chinese under the C locale and need three characters, while most Chinese names and words have two. Of digits also
-- each three in a row: there are a hundred pairs only, and each stands in a great part of all numbers.
-- In plpgsql, whose plan is kept: a function in SQL is planned anew for each row that is written (0.4 ms), and substr walks
-- a long text from its start each time (130 ms for 2,200 characters, 2 ms this way). Repeated pieces do no harm in the index.
create or replace function grams(value text) returns text[]
language plpgsql immutable parallel safe as $$
declare
  pieces text[] := '{}';
  word text;
  earlier text;
  before text;
  one text;
  digits int;
begin
  foreach word in array regexp_split_to_array(coalesce(lower(value), ''), '\s') loop
    before := null;
    digits := 0;
    foreach one in array string_to_array(word, null) loop
      digits := case when one collate "C" between '0' and '9' then digits + 1 else 0 end;
      if before is not null then
        pieces := pieces || (before || one);
      end if;
      if digits > 2 then
        pieces := pieces || (earlier || before || one);
      end if;
      earlier := before;
      before := one;
    end loop;
  end loop;
  return pieces;
end $$;

-- Writes one audit row for each row that a statement changed. Arguments: columns that are never copied.
create or replace function audit() returns trigger
language plpgsql as $$
declare
  actor jsonb := coalesce(nullif(current_setting('app.actor', true), ''), '{}')::jsonb;
  hidden text[] := tg_argv || array['rev', 'updated_at', 'updated_by'];
begin
  if (actor->>'silent')::boolean then
    return null;
  end if;
  if tg_op = 'INSERT' then
    insert into audit_log (staff_id, ip, request_id, job_id, action, reason, entity, entity_id, after)
    select (actor->>'staff_id')::bigint, actor->>'ip', actor->>'request_id', (actor->>'job_id')::bigint, coalesce(actor->>'action', 'create'),
      actor->>'reason', tg_table_name, n.id, jsonb_strip_nulls(to_jsonb(n) - hidden)
    from new_rows n;
  elsif tg_op = 'DELETE' then
    insert into audit_log (staff_id, ip, request_id, job_id, action, reason, entity, entity_id, before)
    select (actor->>'staff_id')::bigint, actor->>'ip', actor->>'request_id', (actor->>'job_id')::bigint, coalesce(actor->>'action', 'purge'),
      actor->>'reason', tg_table_name, o.id, jsonb_strip_nulls(to_jsonb(o) - hidden)
    from old_rows o;
  else
    insert into audit_log (staff_id, ip, request_id, job_id, action, reason, entity, entity_id, before, after)
    select (actor->>'staff_id')::bigint, actor->>'ip', actor->>'request_id', (actor->>'job_id')::bigint,
      coalesce(actor->>'action', case
        when o.deleted_at is null and n.deleted_at is not null then 'remove'
        when o.deleted_at is not null and n.deleted_at is null then 'restore'
        else 'update' end),
      actor->>'reason', tg_table_name, n.id, changed.before, changed.after
    from new_rows n
    join old_rows o on o.id = n.id
    cross join lateral (
      select jsonb_object_agg(b.key, b.value) as before, jsonb_object_agg(b.key, a.value) as after
      from jsonb_each(to_jsonb(o) - hidden) b
      join jsonb_each(to_jsonb(n) - hidden) a on a.key = b.key
      where a.value is distinct from b.value
    ) changed
    where changed.after is not null;
  end if;
  return null;
end $$;

-- Keeps a table append-only: what was written stays as it was written.
create or replace function refuse_change() returns trigger
language plpgsql as $$
begin
  raise exception 'what was written to % is never changed', tg_table_name using errcode = 'restrict_violation';
end $$;

-- How many rows of the log lie between two ids, and a hash of them that goes on from the one before. The columns are named
-- one by one: a column that a later release adds must not change the hash of what was sealed before.
create or replace function audit_digest(low bigint, high bigint, previous text) returns table (count bigint, hash text)
language plpgsql stable as $$
begin
  return query select count(*), encode(sha256(
      convert_to(previous || ' ' || low || ' ' || high, 'UTF8') || coalesce(string_agg(sha256(convert_to(jsonb_build_array(
        a.id, extract(epoch from a.at), a.staff_id, a.ip, a.request_id, a.action, a.reason, a.entity, a.entity_id, a.before, a.after, a.job_id
      )::text, 'UTF8')), ''::bytea order by a.id), ''::bytea)), 'hex')
    from audit_log a where a.id between low and high;
end $$;

-- Makes the months to come of every table that is kept by month: this one and `ahead` more, as China counts them. What lies
-- outside of all months is in the table's own rest, so that nothing is ever refused; a month of which the rest holds something
-- already stays there.
create or replace function make_months(ahead integer default 3) returns void
language plpgsql as $$
declare
  parent record;
  start timestamp;
  low timestamptz;
  high timestamptz;
  part text;
  taken boolean;
begin
  for parent in
    select c.relname as name, a.attname as moment from pg_partitioned_table p join pg_class c on c.oid = p.partrelid
    join pg_attribute a on a.attrelid = c.oid and a.attnum = p.partattrs[0] where c.relnamespace = current_schema()::regnamespace
  loop
    for month in 0..ahead loop
      start := date_trunc('month', now() at time zone 'Asia/Shanghai') + make_interval(months => month);
      low := start at time zone 'Asia/Shanghai';
      high := (start + interval '1 month') at time zone 'Asia/Shanghai';
      part := parent.name || to_char(start, '_YYYYMM');
      continue when to_regclass(quote_ident(part)) is not null;
      execute format('select exists (select 1 from %I where %I >= %L and %I < %L)', parent.name || '_rest', parent.moment, low, parent.moment, high) into taken;
      continue when taken;
      execute format('create table %I partition of %I for values from (%L) to (%L)', part, parent.name, low, high);
    end loop;
  end loop;
end $$;
