#!/usr/bin/env node
import { load } from './load.js';

const { main } = await load('node');
await main(process.argv[2]);
