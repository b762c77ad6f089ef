import { describe, expect, it } from 'vitest';
import { Conflict, NotFound } from '@app/store';
import { chainOf } from '../driven-execution.ts';
import type { Workbench } from '../store.contract.ts';

export function workflowsContract(bench: Workbench): void {
  const save = (name: string, id?: string) => bench.store.saveWorkflow({ id, name, document: { z: 1, a: { b: name } }, version: { dialect: 'test', program: bench.drive(chainOf(2)).program } });

  describe('workflows', () => {
    it('keeps the order of keys in a document', async () => {
      const { id } = await save('ordered');
      expect(JSON.stringify((await bench.store.findWorkflow(id))!.document)).toBe('{"z":1,"a":{"b":"ordered"}}');
    });

    it('makes an immutable version with every save and shows the newest as the draft', async () => {
      const first = await save('one');
      const second = await save('two', first.id);
      expect(second).toMatchObject({ id: first.id, name: 'two', versionCounter: 2 });
      expect((await bench.store.findVersion(first.versionId))!.document).toEqual({ z: 1, a: { b: 'one' } });
      const { rows } = await bench.store.listVersions(first.id, { limit: 10 });
      expect(rows.map((version) => version.id)).toEqual([second.versionId, first.versionId]);
    });

    it('pages through versions', async () => {
      const first = await save('paged');
      const second = await save('paged', first.id);
      const page = await bench.store.listVersions(first.id, { limit: 1 });
      expect(page.rows.map((version) => version.id)).toEqual([second.versionId]);
      const rest = await bench.store.listVersions(first.id, { limit: 1, cursor: page.nextCursor! });
      expect(rest).toMatchObject({ rows: [{ id: first.versionId }], nextCursor: null });
    });

    it('publishes a version of the workflow and of no other', async () => {
      const one = await save('published');
      const other = await save('other');
      expect((await bench.store.publishVersion(one.id, one.versionId)).activeVersionId).toBe(one.versionId);
      expect((await bench.store.publishVersion(one.id, null)).activeVersionId).toBeNull();
      await expect(bench.store.publishVersion(one.id, other.versionId)).rejects.toThrow(NotFound);
    });

    it('lists workflows by name and by whether they are in production', async () => {
      const name = `listed ${Math.random()}`;
      const one = await save(name);
      await bench.store.publishVersion(one.id, one.versionId);
      const two = await save(name);
      expect((await bench.store.listWorkflows({ limit: 10, name })).rows.map((workflow) => workflow.id)).toEqual([one.id, two.id]);
      expect((await bench.store.listWorkflows({ limit: 10, name, active: true })).rows.map((workflow) => workflow.id)).toEqual([one.id]);
      expect((await bench.store.listWorkflows({ limit: 1, name })).nextCursor).not.toBeNull();
    });

    it('merges static data key by key and owner by owner', async () => {
      const { id } = await save('static');
      await bench.store.mergeStaticData(id, [{ owner: 'global', set: { a: 1, b: 2 }, removed: [] }]);
      await bench.store.mergeStaticData(id, [
        { owner: 'global', set: { b: 3 }, removed: ['a'] },
        { owner: 'node:x', set: { last: 'y' }, removed: [] },
      ]);
      expect(await bench.store.staticData(id)).toEqual({ global: { b: 3 }, 'node:x': { last: 'y' } });
      expect((await bench.store.findWorkflow(id))!.staticData).toEqual({ global: { b: 3 }, 'node:x': { last: 'y' } });
    });

    it('loses no key when two executions merge at the same time', async () => {
      const { id } = await save('racing');
      await Promise.all(Array.from({ length: 12 }, (_, index) => bench.store.mergeStaticData(id, [{ owner: 'global', set: { [`k${index}`]: index }, removed: [] }])));
      expect(Object.keys((await bench.store.staticData(id))['global']!)).toHaveLength(12);
    });

    it('refuses to delete a workflow with open executions and keeps the versions of others', async () => {
      const workflow = await save('busy');
      const run = bench.drive(chainOf(1));
      await run.start(['n1'], { workflowId: workflow.id, versionId: workflow.versionId });
      await expect(bench.store.deleteWorkflow(workflow.id)).rejects.toThrow(Conflict);
      await run.runToEnd();
      await bench.store.deleteWorkflow(workflow.id);
      expect(await bench.store.findWorkflow(workflow.id)).toBeUndefined();
      expect(await bench.store.findVersion(workflow.versionId)).toBeDefined();
    });

    it('archives a workflow and says when there is none', async () => {
      const { id } = await save('old');
      expect((await bench.store.setArchived(id, true)).archived).toBe(true);
      await expect(bench.store.setArchived('no-such-workflow', true)).rejects.toThrow(NotFound);
    });
  });
}
