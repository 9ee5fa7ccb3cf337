/**
 * Code hashes of wallets. A wallet acts for its owner, who signs messages from outside, whoever paid for its deployment:
 * exchanges deploy those of their customers, and friends those of friends. Source: `abi/interfaces.go` of tongo
 * (tonkeeper/tongo), which agrees with TON's documentation of wallets. Version 5 is also deployed as a reference to its code
 * in the library of the masterchain, which has a hash of its own.
 */
export const WALLET_CODES: ReadonlySet<string> = new Set([
  // 1 to 3
  'a0cfc2c48aee16a271f2cfc0b7382d81756cecb1017d077faaab3bb602f6868c',
  'd4902fcc9fad74698fa8e353220a68da0dcf72e32bcb2eb9ee04217c17d3062c',
  '587cc789eff1c84f46ec3797e45fc809a14ff5ae24f1e0c7a6a99cc9dc9061ff',
  '5c9a5e68c108e18721a07c42f9956bfb39ad77ec6d624b60c576ec88eee65329',
  'fe9530d3243853083ef2ef0b4c2908c0abf6fa1c31ea243aacaa5bf8c7d753f1',
  'b61041a58a7980b946e8fb9e198e3c904d24799ffa36574ea4251c41a566f581',
  '84dafa449f98a6987789ba232358072bc0f76dc4524002a5d0918b9a75d2d599',
  // 4
  '64dd54805522c5be8a9db59cea0105ccf0d08786ca79beb8cb79e880a8d7322d',
  'feb5ff6820e2ff0d9483e7e0d62c817d846789fb4ae580c878866d959dabd5c0',
  // 5, its beta, and the reference to it
  '20834b7b72b112147e1b2fb457b84e74d1a30f04f737d4f62a668e9552d2b72f',
  'e4cf3b2f4c6d6a61ea0f2b5447d266785b26af3637db2deee6bcd1aa826f3412',
  'f3d7ca53493deedac28b381986a849403cbac3d2c584779af081065af0ac4b93',
  '44b96c52eaa2e18b272629e6e496004d08e0c364c1835a7418b92fb7585a2ed1',
  // Highload 1 to 3
  'd8cdbbb79f2c5caa677ac450770be0351be21e1250486de85cc52aa33dd16484',
  '0dceed21269d66013e95b19fbb5c55a6f01adad40837baa8e521cde3a02aa46c',
  '9494d1cc8edf12f05671a1a9ba09921096eb50811e1924ec65c3c629fbb80812',
  '8ceb45b3cd4b5cc60eaae1c13b9c092392677fe536b2e9b2d801b62eff931fe1',
  '203dd4f358adb49993129aa925cac39916b68a0e4f78d26e8f2c2b69eafa5679',
  '11acad7955844090f283bf238bc1449871f783e7cc0979408d3f4859483e8525',
  // Preprocessed 2
  '45ebbce9b5d235886cb6bfe1c3ad93b708de058244892365c9ee0dfe439cb7b5',
])
