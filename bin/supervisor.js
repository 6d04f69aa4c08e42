#!/usr/bin/env node
import { loadService } from './load.js';

const { loadJoins, main } = loadService('supervisor');
await main(process.argv[2], loadJoins);
