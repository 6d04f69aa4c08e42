/** The token connectors, by the names under which a stack and its nodes configure them (docs/protocol.md §13). */
export const connectorNames = ['erc1155', 'erc20_erc721'] as const;
export type ConnectorName = (typeof connectorNames)[number];
