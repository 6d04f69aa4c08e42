import * as Flags from '@oclif/core/flags';
import { confirmFlags, optionalStartFlags } from '../../flags.js';

export const initFlags = {
  template: Flags.string({ char: 't', description: 'name or path of a template; see template list' }),
  parties: Flags.string({ char: 'n', description: 'number or names of parties: 3, or alice,bob' }),
  set: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'setting, as dotted.path=value' }),
  chain: Flags.string({
    description: 'anvil, or the URL of an external chain: https://HOST:PORT',
  }),
  store: Flags.string({ description: 'external IPFS node (Kubo): http://HOST:5001, or ipfs=API,GATEWAY' }),
  runtime: Flags.string({ options: ['process', 'docker'], description: 'runtime of the services' }),
  db: Flags.string({ description: 'database of the nodes: sqlite3, or postgres=file:PATH' }),
  'port-base': Flags.string({ description: 'first port, or auto' }),
  firefly: Flags.boolean({ description: 'behave like FireFly 1.4, on its ports (5000, 5001, …)' }),
  here: Flags.boolean({ description: 'write stack.yaml to this directory' }),
  'if-missing': Flags.boolean({ description: 'succeed if the stack already exists' }),
  'dry-run': Flags.boolean({ description: 'check only, write nothing' }),
  start: Flags.boolean({ description: 'start the stack', exclusive: ['dry-run'] }),
  ...optionalStartFlags,
  yes: Flags.boolean({ char: 'y', description: 'use the defaults, ask nothing' }),
  'no-input': confirmFlags['no-input'],
};
