import { spellingsOfDid } from '../../domain/network/identity.js';
import type { IdentityAcceptance } from '../../pipeline/accept/identities/identity.js';
import type { Database } from '../../ports/database.js';
import type { IdentityRow } from '../../ports/tables/chain-tables.js';
import type { Where } from '../../ports/tables/where.js';
import { canonicalAddress } from '../../wire/chain/address.js';
import { ServiceError } from '../../wire/errors/error.js';
import type { Identity } from '../../wire/identities/identity.js';
import { among, type Condition, equal } from '../../wire/lists/query.js';
import { uuidPattern } from '../../wire/scalar.js';
import type { identityRoutes } from '../../wire/routes/identities.js';
import type { Confirm } from '../messages/confirm.js';
import type { HandlersOf } from '../requests/handler.js';
import { createClaim } from '../identities/identity-claim.js';
import { didDocumentOf } from '../identities/members.js';
import { nodeDidOf } from '../network/own-network.js';
import type { Reading } from '../lists/read.js';

export interface IdentityHandlerParts extends IdentityAcceptance {
  readonly database: Database;
  readonly reading: Reading;
  readonly confirm: Confirm;
  /** DID of this node's organisation. */
  readonly own: { readonly did: string; readonly organization: string };
  readonly node: string;
}

/** Creates the handlers for the members of the network. */
export function createIdentityHandlers(parts: IdentityHandlerParts): HandlersOf<typeof identityRoutes> {
  const { database, reading, confirm, own, node, ...acceptance } = parts;

  function shown(namespace: string, did: string): Promise<Identity> {
    return reading.get('identities', { namespace, query: new Map() }, { where: [equal('did', did)], name: did });
  }

  async function self(did: string, what: string, namespace: string): Promise<Identity> {
    await findIdentity(database, { did }, () => new ServiceError('not_registered', { what }));
    return shown(namespace, did);
  }

  const createIdentity = createClaim({ confirm, acceptance, shown });

  return {
    createIdentity,

    async updateIdentity(request) {
      const { namespace, params, body } = request;
      const row = await findIdentity(database, namedBy(params.iid), () => notFound(params.iid));
      await confirm.message(request, () => acceptance.acceptIdentityChange(namespace, row, body));
      return shown(namespace, row.did);
    },

    getIdentity: ({ namespace, params: { iid }, query }) =>
      reading.get('identities', { namespace, query }, { where: [conditionOf(namedBy(iid))], name: `identity ${iid}` }),

    async getIdentityDid({ namespace, params: { iid } }) {
      const row = await findIdentity(database, namedBy(iid), () => notFound(iid));
      return didDocumentOf(database, row, namespace);
    },

    async listIdentityVerifiers({ params: { iid }, ...request }) {
      const { id } = await findIdentity(database, namedBy(iid), () => notFound(iid));
      return reading.list('verifiers', request, [equal('identity', id)]);
    },

    getOrganization: ({ namespace, params: { nameOrId }, query }) => {
      const where = [nameOrIdOf(nameOrId), equal('type', 'org')];
      return reading.get('identities', { namespace, query }, { where, name: `organisation ${nameOrId}` });
    },

    getNode: ({ namespace, params: { nameOrId }, query }) => {
      const where = [nameOrIdOf(nameOrId), equal('type', 'node')];
      return reading.get('identities', { namespace, query }, { where, name: `node ${nameOrId}` });
    },

    async createOrganization(request) {
      const { namespace, body } = request;
      if (body.name === own.organization) return self(own.did, 'The organisation of this node', namespace);
      return createIdentity({ ...request, body: { ...body, type: 'org' } });
    },

    registerOrganization: ({ namespace }) => self(own.did, 'The organisation of this node', namespace),
    registerNode: ({ namespace }) => self(nodeDidOf(own, node), 'This node', namespace),

    async resolveVerifier({ namespace, body: { type, value } }) {
      const values = among('value', [...new Set([value, canonicalAddress(value)])]);
      const where = [values, ...(type === undefined ? [] : [equal('type', type)])];
      return reading.get('verifiers', { namespace, query: new Map() }, { where, name: `verifier ${value}` });
    },
  };
}

type NamedIdentity = { readonly did: readonly string[] } | { readonly id: string };

/** The columns of an identity, named by id or DID. @throws ServiceError not_uuid if it is neither */
function namedBy(iid: string): NamedIdentity {
  if (iid.startsWith('did:')) return { did: spellingsOfDid(iid) };
  const id = iid.toLowerCase();
  if (uuidPattern.test(id)) return { id };
  throw new ServiceError('not_uuid', { field: 'The identity', actual: iid });
}

function conditionOf(named: NamedIdentity): Condition {
  return 'did' in named ? among('did', named.did) : equal('id', named.id);
}

function nameOrIdOf(nameOrId: string): Condition {
  return nameOrId.startsWith('did:') || uuidPattern.test(nameOrId.toLowerCase())
    ? conditionOf(namedBy(nameOrId))
    : equal('name', nameOrId);
}

function notFound(iid: string): ServiceError {
  return new ServiceError('not_found', { what: `identity ${iid}` });
}

async function findIdentity(
  database: Database,
  where: Where<'identities'>,
  refusal: () => ServiceError,
): Promise<IdentityRow> {
  const row = await database.first('identities', where);
  if (row === undefined) throw refusal();
  return row;
}
