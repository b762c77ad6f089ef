-- Everything Argosy keeps. Locks nothing: the tables are new.
--
-- Three temperatures. Hot tables hold open executions only and stay small; a step touches them and nothing else.
-- History is append-only and range-partitioned by the execution's id, whose upper bits are the time of its creation.
-- Documents are ordinary tables. There are no foreign keys where a step writes: the commit is one transaction that
-- names everything it changes, and a check per row would cost as much as the row.
--
-- Moments are bigint milliseconds since 1970. Items and other JSON are text: key order survives, and no nesting depth
-- or number format of a user's data meets a parser inside Postgres. A NULL is the default of its column.

-- Time ---------------------------------------------------------------------------------------------------------------

create table clock (
  id boolean primary key default true check (id),
  shift_ms bigint not null default 0
);
insert into clock default values;

-- The only clock: every lease, timer and timestamp comes from here. Tests move it by writing the shift.
create function argosy_now() returns bigint language plpgsql stable as $$
begin
  return floor(extract(epoch from clock_timestamp()) * 1000)::bigint + (select shift_ms from clock);
end $$;

-- Documents ----------------------------------------------------------------------------------------------------------

create table workflows (
  id text primary key,
  name text not null,
  project text not null default 'default',
  draft_version_id text not null,
  version_counter integer not null,
  active_version_id text,
  archived boolean not null default false,
  created_at bigint not null,
  updated_at bigint not null
);

create table workflow_versions (
  id text primary key,
  workflow_id text not null,
  dialect text not null,
  document text not null,
  program text not null,
  name text,
  description text,
  created_at bigint not null
);
create index workflow_versions_workflow on workflow_versions (workflow_id, id);

create table static_data (
  workflow_id text not null,
  owner text not null,
  data text not null,
  version integer not null default 1,
  primary key (workflow_id, owner)
);

create table api_keys (
  id text primary key,
  hash text not null unique,
  prefix text not null,
  name text not null,
  scopes text[] not null,
  created_at bigint not null,
  revoked_at bigint
);

-- A worker's name is long and stands in every run: history refers to it by number.
create table worker_names (
  id integer generated always as identity primary key,
  name text not null unique
);

create table idempotency_keys (
  workflow_id text not null,
  key text not null,
  execution_id bigint not null,
  created_at bigint not null,
  primary key (workflow_id, key)
);
create index idempotency_keys_execution on idempotency_keys (execution_id);

-- Hot: open executions only ------------------------------------------------------------------------------------------

-- One row per open execution, rewritten by every step. No column that a step changes is in an index, so that the
-- update stays on its page (HOT). `epoch` counts leases that were taken away: a worker that knows commits and epoch
-- knows that nobody else has touched the execution since.
create table execution_heads (
  execution_id bigint primary key,
  commits integer not null,
  epoch integer not null default 0,
  status "char" not null,
  open integer not null,
  suspended integer not null,
  queued integer not null,
  front integer not null,
  back integer not null,
  tokens integer not null,
  spent integer not null,
  root_open integer not null,
  root_suspended integer not null,
  root_held integer not null,
  started_at bigint,
  deadline_at bigint,
  root text,
  ending text,
  warnings text
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);
create index execution_heads_deadline on execution_heads (deadline_at) where deadline_at is not null;

-- Activations that have not settled. status: r ready, x running, w waiting. A worker that goes on with the successor of
-- what it ran turns the row into that successor in place: node and seq change, the key (row_node, row_seq) stays, no
-- index is touched. Only a running row is ever so; with its lease it loses the old key.
create table activations (
  execution_id bigint not null,
  row_node integer not null,
  row_seq integer not null,
  node integer not null,
  seq integer not null,
  announcement integer not null default 1,
  ready_at bigint not null,
  lease_id bigint,
  lease_until bigint,
  started_at bigint,
  announced_at bigint,
  due_at bigint,
  children_pending integer,
  attempt smallint not null default 0,
  losses smallint not null default 0,
  wakes smallint not null default 0,
  priority smallint not null default 3,
  status "char" not null,
  cause "char" not null,
  phase "char",
  wait_kind "char",
  resume_mode "char",
  was_suspended boolean not null default false,
  scope text not null,
  queue text not null,
  inputs text not null,
  arguments text,
  worker text,
  wait_key text,
  resume text,
  primary key (execution_id, scope, row_node, row_seq)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000, autovacuum_vacuum_cost_delay = 0);
create index activations_ready on activations (queue, priority, ready_at) where status = 'r';
create index activations_announce on activations (ready_at) where status = 'r';
create index activations_suspect on activations (ready_at) where status = 'r' and losses > 0;
create index activations_lease on activations (lease_until) where status = 'x';
create index activations_due on activations (due_at) where status = 'w' and due_at is not null;

-- Open scopes but the root, whose state is in the head.
create table scopes (
  execution_id bigint not null,
  scope text not null,
  state text not null,
  primary key (execution_id, scope)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- `edge` is set for tokens in latches. They say in `token` how much their node held: the next one at a join of thousands
-- looks for the token of its own edge and for the youngest one, and never reads the others.
create table tokens (
  execution_id bigint not null,
  node integer not null,
  slot integer not null,
  pos integer not null,
  edge integer,
  scope text not null,
  live boolean not null,
  token text not null,
  primary key (execution_id, scope, node, slot, pos)
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index tokens_edge on tokens (execution_id, scope, node, edge) where edge is not null;
create index tokens_youngest on tokens (execution_id, scope, node, pos) where edge is not null;

create table queued_firings (
  execution_id bigint not null,
  position integer not null,
  firing text not null,
  primary key (execution_id, position)
) with (autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create table drivers (
  execution_id bigint not null,
  node integer not null,
  seq integer not null,
  scope text not null,
  state text not null,
  primary key (execution_id, scope, node, seq)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

create table signals (
  execution_id bigint not null,
  key text not null,
  payload text not null,
  consumed boolean not null,
  created_at bigint not null,
  primary key (execution_id, key)
);

-- History: append-only, by time --------------------------------------------------------------------------------------

-- What an execution is and, once it has ended, how. status: NULL open, s succeeded, f failed, c canceled. Written
-- twice, at its beginning and its end; no index holds what the end changes.
create table executions (
  execution_id bigint not null,
  created_at bigint not null,
  timeout_ms bigint,
  retry_of bigint,
  retry_success_id bigint,
  parent_execution_id bigint,
  parent_node integer,
  parent_seq integer,
  parent_index integer,
  started_at bigint,
  finished_at bigint,
  commits integer,
  spent integer,
  priority smallint not null default 3,
  status "char",
  workflow_id text not null,
  version_id text not null,
  mode text not null,
  project text not null default 'default',
  queue text not null default 'default',
  concurrency_key text,
  traceparent text,
  idempotency_key text,
  parent_scope text,
  options text not null,
  start_items text,
  custom_data text,
  cause text,
  error text,
  warnings text,
  remains text,
  primary key (execution_id)
) partition by range (execution_id);
create index executions_workflow on executions (workflow_id, execution_id);
create index executions_parent on executions (parent_execution_id) where parent_execution_id is not null;

-- One row per settled activation, written once. status: d done, f failed, s skipped, v void, c canceled.
create table runs (
  execution_id bigint not null,
  finished_at bigint not null,
  took_ms integer not null,
  node integer not null,
  seq integer not null,
  commit integer not null,
  worker integer,
  attempt smallint not null,
  status "char" not null,
  cause "char" not null,
  scope text not null,
  inputs text,
  outputs text,
  payload text,
  error text,
  logs text,
  stream text,
  primary key (execution_id, scope, node, seq)
) partition by range (execution_id);

-- Items too large to lie in their run's row, in chunks. kind: i inline, b blob.
create table outputs (
  execution_id bigint not null,
  node integer not null,
  seq integer not null,
  port integer not null,
  chunk integer not null,
  first_item integer not null,
  item_count integer not null,
  kind "char" not null,
  scope text not null,
  blob_key text,
  payload text,
  primary key (execution_id, scope, node, seq, port, chunk)
) partition by range (execution_id);

-- Tries that ended without settling. outcome: f failed, s soft failure, l lease lost, r released.
create table attempts (
  execution_id bigint not null,
  ready_at bigint not null,
  started_at bigint not null,
  ended_at bigint not null,
  node integer not null,
  seq integer not null,
  attempt smallint not null,
  losses smallint not null,
  outcome "char" not null,
  scope text not null,
  worker text not null,
  error text,
  primary key (execution_id, scope, node, seq, attempt, losses)
) partition by range (execution_id);

create table cells (
  execution_id bigint not null,
  node integer not null,
  scope text not null,
  name text not null,
  value text not null,
  primary key (execution_id, scope, node, name)
) partition by range (execution_id);

create table list_entries (
  execution_id bigint not null,
  node integer not null,
  entry integer not null,
  first_item integer not null,
  item_count integer not null,
  scope text not null,
  name text not null,
  ref text,
  origin text,
  primary key (execution_id, scope, node, name, entry)
) partition by range (execution_id);

create table executions_rest partition of executions default;
create table runs_rest partition of runs default;
create table outputs_rest partition of outputs default;
create table attempts_rest partition of attempts default;
create table cells_rest partition of cells default;
create table list_entries_rest partition of list_entries default;

-- The smallest id of an execution created at that moment: 41 bits of milliseconds since 2020, 22 bits below them.
create function argosy_first_id(at_ms bigint) returns bigint language sql immutable as
$$ select (at_ms - 1577836800000) << 22 $$;

-- Makes this week's partitions and those of `ahead` further weeks. Answers how many are new. Creating one locks the
-- partitioned table against writes for a moment, so it happens rarely and early. Rows of a week without a partition
-- go to the default partition, and that week then gets none.
create function argosy_make_partitions(ahead integer) returns integer language plpgsql as $$
declare
  week_ms constant bigint := 604800000;
  this_week constant bigint := floor((extract(epoch from clock_timestamp()) * 1000 - 1577836800000) / week_ms)::bigint;
  made integer := 0;
  parent text;
  name text;
begin
  perform pg_advisory_xact_lock(4711202001);
  for week in this_week .. this_week + ahead loop
    foreach parent in array array['executions', 'runs', 'outputs', 'attempts', 'cells', 'list_entries'] loop
      name := parent || '_w' || week;
      if to_regclass(name) is not null then continue; end if;
      begin
        execute format('create table %I partition of %I for values from (%s) to (%s)%s', name, parent,
          argosy_first_id(1577836800000 + week * week_ms), argosy_first_id(1577836800000 + (week + 1) * week_ms),
          case parent when 'executions' then ' with (fillfactor = 85)' else '' end);
        made := made + 1;
      exception when check_violation then null;
      end;
    end loop;
  end loop;
  return made;
end $$;

-- Locks heads in order and fails unless every one is at the expected version: the fence of a commit that was decided
-- without reading. SQLSTATE AR001.
create function argosy_fence(ids bigint[], at_commits integer[], at_epochs integer[]) returns void language plpgsql as $$
declare
  passed integer;
begin
  select count(*) into passed from (
    select from execution_heads h join unnest(ids, at_commits, at_epochs) e (execution_id, commits, epoch) using (execution_id)
    where h.commits = e.commits and h.epoch = e.epoch
    order by h.execution_id
    for update of h
  ) locked;
  if passed <> cardinality(ids) then
    raise exception 'an execution is no longer at the expected version' using errcode = 'AR001';
  end if;
end $$;

select argosy_make_partitions(1);
