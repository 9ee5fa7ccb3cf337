// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Powers} from "./Powers.sol";
import {Setup} from "./Swaps.sol";

/// Runs a script of trades and calls inside one eth_call and reports what each step did. Its runtime code is placed by
/// state override at a fresh address (the director) and at every actor, so that any address can be made to act.
/// Nothing is ever deployed.
contract Simulator is Powers {
    /// Gas below which no step is begun.
    uint256 private constant RESERVE = 9_000_000;
    uint256 private constant STEP_WORDS = 5;

    /// The director: executes the script, keeping its effects from step to step. Returns result words.
    function run(Setup calldata, bytes calldata script) external payable {
        uint256[] memory words = _execute(script);
        assembly {
            return(add(words, 32), mul(mload(words), 32))
        }
    }

    /// The same with all effects undone: the words come back as revert data.
    function attempt(Setup calldata, bytes calldata script) external {
        uint256[] memory words = _execute(script);
        assembly {
            revert(add(words, 32), mul(mload(words), 32))
        }
    }

    function _execute(bytes calldata script) private returns (uint256[] memory words) {
        words = new uint256[](_capacity(script));
        uint256 n = 0;
        for (uint256 i = 0; i < script.length; ) {
            (uint256 op, address actor, address target, uint256 amount, bytes calldata data) = _stepAt(script, i);
            i += 77 + data.length;
            if (gasleft() < RESERVE) {
                words[n] = 2;
                n += op == 6 ? 1 + _capacity(data) : _width(op);
            } else if (op == 6) {
                n = _branch(data, words, n);
            } else if (op == 7 || op == 9) {
                n = _probe(actor, target, amount, op == 9, data, words, n);
            } else {
                uint256 before = gasleft();
                (words[n], words[n + 1], words[n + 2], words[n + 4]) = _step(op, actor, target, amount, data);
                words[n + 3] = before - gasleft();
                n += STEP_WORDS;
            }
        }
    }

    /// Scripts are spelled by script.ts and end with a whole step, so nothing is checked.
    function _stepAt(bytes calldata script, uint256 i)
        private
        pure
        returns (uint256 op, address actor, address target, uint256 amount, bytes calldata data)
    {
        assembly {
            let at := add(script.offset, i)
            op := byte(0, calldataload(at))
            actor := shr(96, calldataload(add(at, 1)))
            target := shr(96, calldataload(add(at, 21)))
            amount := calldataload(add(at, 41))
            data.length := shr(224, calldataload(add(at, 73)))
            data.offset := add(at, 77)
        }
    }

    function _capacity(bytes calldata script) private pure returns (uint256 n) {
        for (uint256 i = 0; i < script.length; ) {
            (uint256 op, , , , bytes calldata data) = _stepAt(script, i);
            n += op == 6 ? 1 + _capacity(data) : _width(op);
            i += 77 + data.length;
        }
    }

    function _width(uint256 op) private pure returns (uint256) {
        return op == 7 ? PROBE_WORDS : op == 9 ? LIGHT_WORDS : STEP_WORDS;
    }

    /// Steps whose effects are undone; the first word tells whether they could be run.
    function _branch(bytes calldata data, uint256[] memory words, uint256 n) private returns (uint256) {
        uint256 inner = _capacity(data);
        _again(gasleft() - RESERVE / 2, this.attempt.selector, abi.encodePacked(SETUP + 32, data.length, data));
        if (_keep(words, n + 1, inner)) words[n] = 1;
        return n + 1 + inner;
    }

    function _probe(address actor, address target, uint256 value, bool light, bytes calldata data, uint256[] memory words, uint256 n)
        private
        returns (uint256)
    {
        uint256 width = _width(light ? 9 : 7);
        bytes memory head = abi.encode(actor, target, value, light, SETUP + 0xa0, data.length);
        _again(gasleft() - RESERVE / 2, this.probe.selector, abi.encodePacked(head, data));
        _keep(words, n, width);
        return n + width;
    }

    /// Keeps what the last call gave back when it is so many words.
    function _keep(uint256[] memory words, uint256 n, uint256 count) private pure returns (bool whole) {
        assembly {
            whole := eq(returndatasize(), mul(count, 32))
            if whole { returndatacopy(add(add(words, 32), mul(n, 32)), 0, mul(count, 32)) }
        }
    }

    function _step(uint256 op, address actor, address target, uint256 amount, bytes calldata data)
        private
        returns (uint256 ok, uint256 a, uint256 b, uint256 word)
    {
        if (op < 2) {
            bool good;
            (good, word) = op == 0 ? _as(actor, target, amount, data) : _read(target, data);
            return (good ? 1 : 0, word, 0, word);
        }
        uint256 given = gasleft() - RESERVE / 2;
        if (given > ACT_GAS * 2) given = ACT_GAS * 2;
        (ok, a, b, word) = _play(given, op, actor, target, amount, false);
        if (ok == 0) word = _word(true);
    }
}
