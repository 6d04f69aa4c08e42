import * as Flags from '@oclif/core/flags';
import { stackFlags, targetFlags, timeoutFlag } from '../../flags.js';

export const environmentFlags = {
  ...stackFlags,
  format: Flags.option({
    options: ['shell', 'fish', 'powershell', 'dotenv', 'json', 'github'] as const,
    default: 'shell',
  })({
    description: 'output format',
  }),
};

export const logsFlags = {
  ...stackFlags,
  follow: Flags.boolean({ char: 'f', description: 'follow new lines' }),
  lines: Flags.integer({
    char: 'n',
    min: 0,
    max: 1_000_000,
    default: 100,
    description: 'number of last matching lines of each service',
  }),
  since: Flags.string({ description: 'start of the period: 10m ago, or an ISO time' }),
  until: Flags.string({ description: 'end of the period: 10m ago, or an ISO time' }),
  level: Flags.option({ options: ['debug', 'info', 'warn', 'error'] as const })({
    description: 'this level and above',
  }),
  grep: Flags.string({ description: 'only records that match this expression' }),
  invert: Flags.boolean({ description: 'only records that do not match', dependsOn: ['grep'] }),
  message: Flags.string({ description: 'only records that name this message' }),
  request: Flags.string({ description: 'only records of this request id' }),
  'no-prefix': Flags.boolean({ description: 'omit the name of the service' }),
};

export const openFlags = { ...stackFlags, print: Flags.boolean({ description: 'print the address only' }) };

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
