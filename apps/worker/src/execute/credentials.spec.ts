import { describe, expect, it } from 'vitest';
import { credentialOf, noCredentials, type CredentialReader } from './credentials.ts';

const read: CredentialReader = async ({ id, type }) => (id === '7' && type === 'httpBasicAuth' ? { user: 'ann', password: 'secret' } : undefined);
const naming = (credentials?: object) => ({ name: 'Ask', attributes: credentials ? { credentials: { ...credentials } } : {} });

describe('the credential of a node', () => {
  it('is the one that the node names for the type', async () => {
    const node = naming({ httpBasicAuth: { id: '7', name: 'Shop' }, httpHeaderAuth: { id: '8', name: 'Other' } });
    expect(await credentialOf(node, 'httpBasicAuth', read)).toEqual({ user: 'ann', password: 'secret' });
  });

  it.each([
    ['names none at all', naming(), 'none is stored for it'],
    ['names one of another type', naming({ httpHeaderAuth: { id: '7', name: 'Shop' } }), 'none is stored for it'],
    ['names it without an id', naming({ httpBasicAuth: 'Shop' }), 'none is stored for it'],
    ['names one that is not there', naming({ httpBasicAuth: { id: '9', name: 'Shop' } }), '"Shop" (9) is not stored here'],
  ])('is missing, and the error says so, when the node %s', async (_, node, message) => {
    await expect(credentialOf(node, 'httpBasicAuth', read)).rejects.toThrow(`Node "Ask" needs a credential of type "httpBasicAuth"; ${message}.`);
  });

  it('is missing where nobody keeps credentials', async () => {
    await expect(credentialOf(naming({ httpBasicAuth: { id: '7', name: 'Shop' } }), 'httpBasicAuth', noCredentials)).rejects.toThrow('is not stored here');
  });
});
