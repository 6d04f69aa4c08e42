import { firstIdentitySeed } from '../../seed-kinds.js';
import type { Plant } from '../plant.js';

const rule = 'src/pipeline/aggregate/define/identity.js';
const from = firstIdentitySeed;

/** Bugs of custom identities and profiles, which only the seeds that have any can notice. */
export const identityPlants: readonly Plant[] = [
  {
    id: 'P80',
    bug: 'a profile is taken for an identity that was registered after it',
    patches: [{ file: rule, find: '|| identity.block > block', replace: '' }],
    from,
  },
  {
    id: 'P81',
    bug: 'an update of a profile removes what it does not state',
    patches: [
      {
        file: rule,
        find: '{ namespace, identity }, { ...changes, message, updated }',
        replace: '{ namespace, identity }, { description: null, profile: null, ...changes, message, updated }',
      },
    ],
    from,
  },
  {
    id: 'P82',
    bug: 'a node speaks as an identity of another member, whose key it holds too',
    patches: [
      { file: 'src/pipeline/accept/identities/author.js', find: 'if (!isOfOwn(own, owner))', replace: 'if (false)' },
    ],
    from,
  },
  {
    id: 'P83',
    bug: 'a rebuild leaves the profiles of blocks that are gone',
    patches: [
      {
        file: 'src/pipeline/rebuild/messages/definitions.js',
        find: 'await undoProfile(unit, row, updates);',
        replace: ';',
      },
    ],
    from,
  },
  {
    id: 'P88',
    bug: 'a registration is accepted before its organisation is a member, and fails for good',
    patches: [
      {
        file: 'src/pipeline/accept/identities/identity.js',
        find: 'await requireMember(database, own);',
        replace: ';',
      },
    ],
    from,
  },
];
