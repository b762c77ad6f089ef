import { PrismaPg } from '@prisma/adapter-pg';
import type { JsonObject } from '@app/engine';
import { NotFound } from '../errors.ts';
import { PrismaClient, type Prisma } from '../generated/client.ts';
import type { NewVersion, Page, StaticData, VersionRecord, WorkflowFilter, WorkflowRecord } from '../records.ts';
import { asStoreError } from './unavailable.ts';

type WorkflowRow = Awaited<ReturnType<PrismaClient['workflow']['findUniqueOrThrow']>>;
type VersionRow = Awaited<ReturnType<PrismaClient['workflowVersion']['findUniqueOrThrow']>>;

/** A serialization failure or a deadlock, by Prisma's name. */
const REPEAT = 'P2034';

/** Workflows and their versions: ordinary rows, written by people. */
export class Documents {
  readonly client: PrismaClient;

  constructor(
    databaseUrl: string,
    connections: number,
    private readonly nextId: () => string,
    private readonly now: () => Promise<number>,
  ) {
    const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: databaseUrl, max: connections, application_name: 'argosy' }) });
    this.client = client.$extends({
      query: {
        $allOperations: ({ args, query }) =>
          query(args).catch((error: unknown) => {
            throw asStoreError(error);
          }),
      },
    }) as unknown as PrismaClient;
  }

  async save(workflow: { readonly id?: string; readonly name: string; readonly document: JsonObject; readonly version: NewVersion; readonly project?: string }): Promise<WorkflowRecord> {
    const at = BigInt(await this.now());
    const { dialect, program, name, description } = workflow.version;
    const id = workflow.id ?? this.nextId();
    const version = { id: this.nextId(), workflowId: id, dialect, document: JSON.stringify(workflow.document), program: JSON.stringify(program), name: name ?? null, description: description ?? null, createdAt: at };
    await this.transact([
      this.client.workflowVersion.create({ data: version }),
      this.client.workflow.upsert({
        where: { id },
        create: { id, name: workflow.name, project: workflow.project ?? 'default', draftVersionId: version.id, versionCounter: 1, createdAt: at, updatedAt: at },
        update: { name: workflow.name, ...(workflow.project !== undefined && { project: workflow.project }), draftVersionId: version.id, versionCounter: { increment: 1 }, updatedAt: at },
      }),
    ]);
    return this.require(id);
  }

  private async transact(writes: Prisma.PrismaPromise<unknown>[]): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return void (await this.client.$transaction(writes));
      } catch (error) {
        if ((error as { code?: string }).code !== REPEAT || tries >= 5) throw asStoreError(error);
      }
    }
  }

  async publish(workflowId: string, versionId: string | null): Promise<WorkflowRecord> {
    if (versionId !== null && !(await this.client.workflowVersion.findFirst({ where: { id: versionId, workflowId }, select: { id: true } }))) throw new NotFound('version', versionId);
    return this.change(workflowId, { activeVersionId: versionId });
  }

  async setArchived(workflowId: string, archived: boolean): Promise<WorkflowRecord> {
    return this.change(workflowId, { archived });
  }

  private async change(id: string, change: { activeVersionId?: string | null; archived?: boolean }): Promise<WorkflowRecord> {
    const { count } = await this.client.workflow.updateMany({ where: { id }, data: { ...change, updatedAt: BigInt(await this.now()) } });
    if (count === 0) throw new NotFound('workflow', id);
    return this.require(id);
  }

  async find(id: string): Promise<WorkflowRecord | undefined> {
    const row = await this.client.workflow.findUnique({ where: { id } });
    return row ? (await this.toRecords([row]))[0] : undefined;
  }

  async require(id: string): Promise<WorkflowRecord> {
    const found = await this.find(id);
    if (!found) throw new NotFound('workflow', id);
    return found;
  }

  async list({ limit, cursor, active, name, project }: WorkflowFilter): Promise<Page<WorkflowRecord>> {
    const rows = await this.client.workflow.findMany({
      where: {
        ...(cursor !== undefined && { id: { gt: cursor } }),
        ...(active !== undefined && { activeVersionId: active ? { not: null } : null }),
        ...(name !== undefined && { name }),
        ...(project !== undefined && { project }),
      },
      orderBy: { id: 'asc' },
      take: limit + 1,
    });
    return pageOf(await this.toRecords(rows.slice(0, limit)), rows.length > limit);
  }

  /** Its versions stay as long as executions refer to them. */
  async remove(id: string): Promise<void> {
    await this.transact([this.client.staticData.deleteMany({ where: { workflowId: id } }), this.client.workflow.deleteMany({ where: { id } })]);
  }

  async listVersions(workflowId: string, { limit, cursor }: { readonly limit: number; readonly cursor?: string }): Promise<Page<Omit<VersionRecord, 'program'>>> {
    const rows = await this.client.workflowVersion.findMany({ where: { workflowId, ...(cursor !== undefined && { id: { lt: cursor } }) }, orderBy: { id: 'desc' }, take: limit + 1 });
    return pageOf(rows.slice(0, limit).map(versionOf), rows.length > limit);
  }

  async staticData(workflowIds: readonly string[]): Promise<Map<string, StaticData>> {
    const rows = await this.client.staticData.findMany({ where: { workflowId: { in: [...workflowIds] } }, orderBy: { owner: 'asc' } });
    return new Map([...Map.groupBy(rows, (row) => row.workflowId)].map(([id, owned]) => [id, Object.fromEntries(owned.map(({ owner, data }) => [owner, JSON.parse(data) as JsonObject]))]));
  }

  private async toRecords(rows: readonly WorkflowRow[]): Promise<WorkflowRecord[]> {
    const [drafts, statics] = await Promise.all([
      this.client.workflowVersion.findMany({ where: { id: { in: rows.map((row) => row.draftVersionId) } }, select: { id: true, document: true } }),
      this.staticData(rows.map((row) => row.id)),
    ]);
    const documents = new Map(drafts.map(({ id, document }) => [id, document]));
    return rows.map(({ draftVersionId, createdAt, updatedAt, ...row }) => ({
      ...row,
      versionId: draftVersionId,
      document: JSON.parse(documents.get(draftVersionId) ?? '{}') as JsonObject,
      staticData: statics.get(row.id) ?? null,
      createdAt: Number(createdAt),
      updatedAt: Number(updatedAt),
    }));
  }

  async close(): Promise<void> {
    await this.client.$disconnect();
  }
}

function versionOf({ id, workflowId, dialect, document, name, description, createdAt }: VersionRow): Omit<VersionRecord, 'program'> {
  return { id, workflowId, dialect, document: JSON.parse(document) as JsonObject, name, description, createdAt: Number(createdAt) };
}

function pageOf<T extends { readonly id: string }>(rows: T[], more: boolean): Page<T> {
  return { rows, nextCursor: more ? rows.at(-1)!.id : null };
}
