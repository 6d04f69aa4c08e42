import * as Flags from '@oclif/core/flags';
import { stackFlags, targetFlags, timeoutFlag } from '../../flags.js';

/** Flags of `stack env`. */
export const environmentFlags = {
  ...stackFlags,
  format: Flags.option({
    options: ['shell', 'fish', 'powershell', 'dotenv', 'json', 'github'] as const,
    default: 'shell',
  })({
    description: 'whose syntax',
  }),
};

/** Flags of `stack logs`. */
export const logsFlags = {
  ...stackFlags,
  follow: Flags.boolean({ char: 'f', description: 'go on with what comes' }),
  lines: Flags.integer({
    char: 'n',
    min: 0,
    max: 1_000_000,
    default: 100,
    description: 'last lines of each service',
  }),
  since: Flags.string({ description: 'from this time: 10m ago, or ISO' }),
  until: Flags.string({ description: 'up to this time: 10m ago, or ISO' }),
  level: Flags.option({ options: ['debug', 'info', 'warn', 'error'] as const })({
    description: 'this level and above',
  }),
  grep: Flags.string({ description: 'only records that match this expression' }),
  invert: Flags.boolean({ description: 'only records that do not match', dependsOn: ['grep'] }),
  message: Flags.string({ description: 'only records that name this message' }),
  request: Flags.string({ description: 'only records of this request, whose id a node answers with' }),
  'no-prefix': Flags.boolean({ description: 'without the name of the service' }),
};

/** Flags of `stack open`. */
export const openFlags = { ...stackFlags, print: Flags.boolean({ description: 'only print it' }) };

/** Flags of `stack wait`. */
export const waitForFlags = {
  ...targetFlags,
  for: Flags.string({
    multiple: true,
    multipleNonGreedy: true,
    default: ['healthy'],
    description: 'condition; may be repeated',
  }),
  timeout: timeoutFlag('60s'),
};
