#!/usr/bin/env node
import { load } from './load.js';

const { loadJoins, main } = await load('supervisor');
await main(process.argv[2], loadJoins);
