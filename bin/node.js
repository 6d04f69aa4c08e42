#!/usr/bin/env node
import { loadService } from './load.js';

const { main } = loadService('node');
await main(process.argv[2]);
