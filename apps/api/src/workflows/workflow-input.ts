import { z } from 'zod';
import { anyObject, flag, pageQuery, text } from '../http-schemas.ts';

const node = anyObject('must be an object').describe('A node as n8n writes it: name, type, typeVersion, position, parameters, and its settings.');

/**
 * What POST and PUT take. Deliberately loose: the dialect judges the document and names each fault with its path, and
 * fields that nobody knows are kept. Fields that the server sets are ignored.
 */
export const workflowInput = z
  .looseObject({
    name: text(255),
    nodes: z.array(node, { error: 'must be a list of nodes' }).optional(),
    connections: anyObject('must be an object: source node name → connection type → outputs').optional(),
    settings: anyObject().nullish(),
    staticData: anyObject().nullish(),
    pinData: anyObject().nullish(),
  })
  .meta({ description: 'A workflow document. Unknown fields are kept; fields that the server sets are ignored.' });
export type WorkflowInput = z.output<typeof workflowInput>;

export const workflowListQuery = pageQuery.extend({
  active: flag.optional().describe('Only workflows that are published, or only those that are not.'),
  name: text(255).optional().describe('Only workflows of exactly this name.'),
  tags: z.string().optional().describe('Names of tags, separated by commas: only workflows that carry all of them.'),
  projectId: text(255).optional(),
  excludePinnedData: flag.optional(),
});
export type WorkflowListQuery = z.output<typeof workflowListQuery>;

export const workflowQuery = z.object({ excludePinnedData: flag.optional() });
export const updateQuery = z.object({ publishIfActive: flag.default(true).describe('Whether an active workflow goes on with the saved version at once.') });
export const publishInput = z.object({ versionId: text(255).nullish().describe('Absent: the newest version.'), name: z.string().nullish(), description: z.string().nullish() });
export type PublishInput = z.output<typeof publishInput>;
