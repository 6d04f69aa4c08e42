#!/usr/bin/env node
import { load } from './load.js';

const { main, recordedLimits } = load('task');
await main(process.argv[2], process.argv[3], { networkLimits: recordedLimits });
