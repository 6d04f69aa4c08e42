/**
 * Pools over contracts that do not name who calls read the sender of each transaction. Those that were followed before
 * do so from their next block on; their earlier transfers keep the key that they had.
 */
export const senders = {
  number: 15,
  name: 'senders',
  statements: [
    `update "sources" set "withInput" = 1 where "kind" = 'pool' and "subject" in
      (select "id" from "pools" where "connector" = 'erc20_erc721' and "locator" like '%&schema=ERC%NoData&%')`,
  ],
} as const;
