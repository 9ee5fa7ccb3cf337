// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Asks many contracts one word each in a single eth_call that creates it: what would become its code is the answers.
/// Input: calls one after the other, each address (20 bytes), length of the data (2 bytes), data. Output: a word of zeros
/// (code must not begin with 0xef), a word with bit i set when call i answered a word at least, then a word for each call.
contract Reader {
    uint256 private constant READ_GAS = 300_000;

    constructor(bytes memory calls) {
        assembly {
            let end := add(add(calls, 32), mload(calls))
            let out := add(end, 32)
            let at := add(calls, 32)
            let n := 0
            let answered := 0
            for {} lt(at, end) { n := add(n, 1) } {
                let size := and(shr(80, mload(at)), 0xffff)
                let to := add(out, add(64, mul(n, 32)))
                mstore(to, 0)
                let ok := staticcall(READ_GAS, shr(96, mload(at)), add(at, 22), size, to, 32)
                switch and(ok, gt(returndatasize(), 31))
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
