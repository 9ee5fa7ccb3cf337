// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Asks many contracts one word each in a single eth_call that creates it: what would become its code is the answers.
/// Input: calls one after the other, each address (20 bytes), length of the data (2 bytes), data. Output: a word of zeros
/// (code must not begin with 0xef), a word with bit i set when call i answered a word at least, then a word for each call.
/// More than anyone would read is no answer. When the gas left no longer pays for a whole read it reverts: a call that
/// failed for want of what others used up must not pass for one that failed by itself.
contract Reader {
    uint256 private constant READ_GAS = 300_000;
    /// A read passes on 63 parts of 64 at most (EIP-150).
    uint256 private constant ENOUGH_GAS = 320_000;
    uint256 private constant MOST_ANSWER = 65_535;

    constructor(bytes memory calls) {
        assembly {
            let end := add(add(calls, 32), mload(calls))
            let out := add(end, 32)
            let at := add(calls, 32)
            let n := 0
            let answered := 0
            for {} lt(at, end) { n := add(n, 1) } {
                if lt(gas(), ENOUGH_GAS) { revert(0, 0) }
                let size := and(shr(80, mload(at)), 0xffff)
                let to := add(out, add(64, mul(n, 32)))
                mstore(to, 0)
                let ok := staticcall(READ_GAS, shr(96, mload(at)), add(at, 22), size, to, 32)
                switch and(ok, and(gt(returndatasize(), 31), iszero(gt(returndatasize(), MOST_ANSWER))))
                case 0 { mstore(to, 0) }
                default { answered := or(answered, shl(n, 1)) }
                at := add(at, add(22, size))
            }
            mstore(out, 0)
            mstore(add(out, 32), answered)
            return(out, add(64, mul(n, 32)))
        }
    }
}
