import * as Flags from '@oclif/core/flags';
import { targetFlags } from '../flags.js';

const outFlag = { out: Flags.string({ description: 'file for the full report as JSON' }) };

export const rateFlags = {
  ...targetFlags,
  rate: Flags.string({
    description: 'rate, such as 200/s; default: search the highest sustainable one',
  }),
  duration: Flags.string({ default: '30s', description: 'duration of the measurement' }),
  slo: Flags.string({ description: 'limit for the 99th percentile of the latency, such as 500ms' }),
  parties: Flags.string({ description: 'parties that take part, such as alice,bob; default: all' }),
  warmup: Flags.string({ default: '5s', description: 'warm-up before the measurement' }),
  ...outFlag,
};

/** Flags of every benchmark that sends messages at a rate. */
export const loadFlags = {
  ...rateFlags,
  size: Flags.integer({ min: 1, max: 800_000, default: 256, description: 'size of a value in bytes' }),
  topics: Flags.integer({ min: 1, max: 10_000, default: 16, description: 'number of topics' }),
};

export const blobFlags = {
  ...targetFlags,
  size: Flags.string({ default: '1GiB', description: 'size of the file, such as 200MiB' }),
  ...outFlag,
};

export const replayFlags = {
  ...targetFlags,
  events: Flags.integer({
    min: 1_000,
    max: 100_000,
    default: 50_000,
    description: 'number of events; missing ones are sent first',
  }),
  'read-ahead': Flags.integer({ min: 0, max: 65_535, default: 50, description: 'number of unacknowledged events' }),
  repeats: Flags.integer({ min: 1, max: 100, default: 3, description: 'number of runs; the median counts' }),
  ...outFlag,
};
