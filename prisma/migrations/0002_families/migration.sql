-- Executions that call each other: how large a family is, whom an end leaves behind, which retries refer to an execution.
--
-- Locks `executions` and its partitions against writes while the indexes are built; both are partial and empty so far,
-- so each costs one reading of the partitions.

-- The first caller of a tree of calls; null for that one itself. Immutable.
alter table executions add column root_execution_id bigint;
create index executions_root on executions (root_execution_id) where root_execution_id is not null;

-- A retry reads items of the execution that it goes on from, which must not be deleted before it.
create index executions_retry on executions (retry_of) where retry_of is not null;

-- Executions that ended while others ran that they had called and waited for. Written by the transaction of the end;
-- the row goes once none of those is open.
create table ended_callers (
  execution_id bigint primary key
);
