#!/usr/bin/env node
import { networkLimits } from '../dist/domain/limits.js';
import { main } from '../dist/stack/tasks/main.js';

await main(process.argv[2], process.argv[3], { networkLimits });
