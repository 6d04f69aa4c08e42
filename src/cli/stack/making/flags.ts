import * as Flags from '@oclif/core/flags';
import { confirmFlags, progressFlags, startTimeoutFlag } from '../../flags.js';

/** Flags of `stack init`. */
export const initFlags = {
  template: Flags.string({ char: 't', description: 'see template list; or the path of one' }),
  parties: Flags.string({ char: 'n', description: 'how many, or their names: 3 or alice,bob' }),
  set: Flags.string({ multiple: true, multipleNonGreedy: true, description: 'a setting: dotted.path=value' }),
  chain: Flags.string({
    description: "anvil for one of the stack's own, or the address of one that others run: https://HOST:PORT",
  }),
  store: Flags.string({ description: 'an IPFS node (Kubo) that others run: http://HOST:5001, or ipfs=API,GATEWAY' }),
  runtime: Flags.string({ options: ['process', 'docker'], description: 'where its services run' }),
  db: Flags.string({ description: 'the database of the nodes: sqlite3, or postgres=file:PATH' }),
  'port-base': Flags.string({ description: 'first port, or auto' }),
  firefly: Flags.boolean({ description: "answer as FireFly 1.4 does, on FireFly's ports (5000, 5001, …)" }),
  here: Flags.boolean({ description: 'put stack.yaml into this directory' }),
  'if-missing': Flags.boolean({ description: 'be content with a stack that is there already' }),
  'dry-run': Flags.boolean({ description: 'check, write nothing' }),
  start: Flags.boolean({ description: 'start it too', exclusive: ['dry-run'] }),
  timeout: startTimeoutFlag,
  ...progressFlags,
  yes: Flags.boolean({ char: 'y', description: 'ask nothing: take the defaults' }),
  'no-input': confirmFlags['no-input'],
};
