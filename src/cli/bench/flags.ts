import * as Flags from '@oclif/core/flags';
import { targetFlags } from '../flags.js';

const outFlag = { out: Flags.string({ description: 'file for the whole report as JSON' }) };

/** Flags of every benchmark with a rate. */
export const rateFlags = {
  ...targetFlags,
  rate: Flags.string({
    description: 'how many a second, such as 200/s; without it the highest that holds is searched',
  }),
  duration: Flags.string({ default: '30s', description: 'how long is measured' }),
  slo: Flags.string({ description: 'the 99th percentile of the latency must stay below this, such as 500ms' }),
  parties: Flags.string({ description: 'the parties that take part: alice,bob; default: all' }),
  warmup: Flags.string({ default: '5s', description: 'how long before that' }),
  ...outFlag,
};

/** Flags of every benchmark that sends messages at a rate. */
export const loadFlags = {
  ...rateFlags,
  size: Flags.integer({ min: 1, max: 800_000, default: 256, description: 'bytes of a value' }),
  topics: Flags.integer({ min: 1, max: 10_000, default: 16, description: 'how many topics' }),
};

/** Flags of the benchmark of one file. */
export const blobFlags = {
  ...targetFlags,
  size: Flags.string({ default: '1GiB', description: 'size of the file, such as 200MiB' }),
  ...outFlag,
};

/** Flags of the benchmark that replays events. */
export const replayFlags = {
  ...targetFlags,
  events: Flags.integer({
    min: 1_000,
    max: 100_000,
    default: 50_000,
    description: 'how many events; what is missing is sent before',
  }),
  'read-ahead': Flags.integer({ min: 0, max: 65_535, default: 50, description: 'how many go without acknowledgement' }),
  repeats: Flags.integer({ min: 1, max: 100, default: 3, description: 'how often; the median counts' }),
  ...outFlag,
};
