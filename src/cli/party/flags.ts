import * as Flags from '@oclif/core/flags';
import { confirmFlags, progressFlags, stackFlags, startTimeoutFlag } from '../flags.js';

export const partyAddFlags = {
  ...stackFlags,
  org: Flags.string({ description: 'name of its organisation; default: the name of the party' }),
  node: Flags.string({ description: 'name of its node; default: NAME-node' }),
  port: Flags.integer({ min: 1_024, max: 65_535, description: 'port of its API; default: the next of the stack' }),
  key: Flags.string({ description: 'private key to sign with, as file:PATH; default: a new one' }),
  database: Flags.string({
    description: 'database of the node: sqlite3, or postgres=file:PATH; default: that of the stack',
  }),
  external: Flags.boolean({ hidden: true, description: 'parties elsewhere are invited' }),
  timeout: startTimeoutFlag,
  ...progressFlags,
};

export const joinFlags = {
  advertise: Flags.string({ required: true, description: 'name or address of this machine for the others' }),
  bind: Flags.string({ description: 'address to listen on; default: that of --advertise' }),
  name: Flags.string({ description: 'name of the stack; default: that of the party' }),
  org: Flags.string({ description: 'name of its organisation; default: the name of the party' }),
  output: Flags.string({ char: 'o', description: 'file to write; default: NAME.join.json' }),
};

export const admitFlags = { ...stackFlags, timeout: startTimeoutFlag, ...progressFlags };

export const partyStartFlags = { ...stackFlags, timeout: startTimeoutFlag, ...progressFlags };

export const rebuildFlags = {
  ...stackFlags,
  ...confirmFlags,
  from: Flags.integer({ min: 0, description: 'undo everything from this block on' }),
  timeout: startTimeoutFlag,
  ...progressFlags,
};
