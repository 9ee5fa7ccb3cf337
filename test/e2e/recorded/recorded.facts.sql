-- What the views hold of one block, in the words of `recorded.facts.ts`. Sums as text: they exceed 64 bits.
WITH
  movements AS (
    SELECT kind, direction, asset, amount FROM ledger_all
    WHERE network = {network:String} AND block_number = {number:UInt32}
  ),
  sent AS (
    SELECT
      toUInt32(countIf(kind = 'fungible')) AS fungible, toUInt32(countIf(kind = 'nft')) AS nft, toUInt32(countIf(kind = 'multi')) AS multi, toUInt32(countIf(kind = 'wrap')) AS wrap,
      toString(sumIf(amount, kind = 'fungible')) AS fungible_amount,
      toString(sumIf(amount, kind = 'wrap')) AS wrapped,
      toString(sumIf(amount, kind = 'native')) AS native,
      toString(sumIf(amount, kind = 'internal')) AS internal
    FROM movements WHERE direction = -1
  )
SELECT
  (SELECT (groupArray(block_hash), groupArray(parent_hash)) FROM blocks_all WHERE network = {network:String} AND block_number = {number:UInt32}) AS links,
  (SELECT (toUInt32(count()), toString(sum(value)), toUInt32(countIf(status = 1)), toUInt32(countIf(status = 0)), toString(sum(gas_used))) FROM transactions_all WHERE network = {network:String} AND block_number = {number:UInt32}) AS transactions,
  (SELECT arraySort(groupArray(tx_hash)) FROM transactions_all WHERE network = {network:String} AND block_number = {number:UInt32}) AS hashes,
  (SELECT toUInt32(count()) FROM movements WHERE direction = 1) AS received,
  (SELECT toUInt32(count()) FROM movements WHERE direction = -1) AS given,
  (SELECT (toUInt32(countIf(kind = 'fungible')), toUInt32(countIf(kind = 'nft')), toUInt32(countIf(kind = 'all'))) FROM approvals_all WHERE network = {network:String} AND block_number = {number:UInt32}) AS approvals,
  (SELECT arraySort(groupArray(contract)) FROM creations_all WHERE network = {network:String} AND block_number = {number:UInt32} AND event = 'create') AS creations,
  (SELECT toUInt32(count()) FROM swaps_all WHERE network = {network:String} AND block_number = {number:UInt32}) AS swaps,
  (SELECT toUInt32(countIf(event = 'owner_change')) FROM authority_all WHERE network = {network:String} AND block_number = {number:UInt32}) AS owner_changes,
  fungible, nft, multi, wrap, fungible_amount, wrapped, native, internal
FROM sent
