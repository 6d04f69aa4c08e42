#!/usr/bin/env node
import { recordedLimits } from '../dist/domain/network-rules.js';
import { main } from '../dist/stack/tasks/main.js';

await main(process.argv[2], process.argv[3], { networkLimits: recordedLimits });
