// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// Calls as anybody, bounded: every outside call has a gas cap and copies back at most 128 bytes.
abstract contract Calls {
    uint256 internal constant ACT_GAS = 4_000_000;
    uint256 internal constant READ_GAS = 300_000;

    receive() external payable {}

    /// Any actor: makes the call as itself. Reports at most the first word of what came back.
    function act(address to, uint256 value, uint256 gasCap, bytes calldata data) external returns (bool ok, uint256 word) {
        return _raw(to, value, data, gasCap);
    }

    function _as(address actor, address to, uint256 value, bytes memory data) internal returns (bool ok, uint256 word) {
        if (actor == address(this)) return _raw(to, value, data, ACT_GAS);
        bytes memory input = abi.encodeCall(this.act, (to, value, ACT_GAS, data));
        assembly {
            ok := call(gas(), actor, 0, add(input, 32), mload(input), 0, 0x40)
            if ok {
                ok := and(mload(0), gt(returndatasize(), 63))
                word := mload(0x20)
            }
        }
    }

    // ---- reverting when refused -----------------------------------------------------------------------------------

    function _must(address actor, address to, bytes memory data) internal {
        uint256 word = _ask(actor, to, 0, data);
        if (word == 0 && _returnsFlag(data)) revert("answered false");
    }

    /// Returns the first word of the answer.
    function _ask(address actor, address to, uint256 value, bytes memory data) internal returns (uint256) {
        (bool ok, uint256 word) = _as(actor, to, value, data);
        if (!ok) _fail(word);
        return word;
    }

    function _approve(address token, address from, address spender, uint256 amount) internal {
        _must(from, token, abi.encodeWithSelector(0x095ea7b3, spender, amount));
    }

    function _transfer(address token, address from, address to, uint256 amount) internal {
        _must(from, token, abi.encodeWithSelector(0xa9059cbb, to, amount));
    }

    /// By an allowance of ours.
    function _transferFrom(address token, address from, address to, uint256 amount) internal {
        _must(address(this), token, abi.encodeWithSelector(0x23b872dd, from, to, amount));
    }

    /// transfer, transferFrom: an answer of false is a refusal; no answer at all is success.
    function _returnsFlag(bytes memory data) private pure returns (bool) {
        bytes4 selector = bytes4(data);
        return selector == 0xa9059cbb || selector == 0x23b872dd;
    }

    function _fail(uint256 word) private pure {
        assembly {
            mstore(0, word)
            revert(0, 32)
        }
    }

    function _rethrow() internal pure {
        _fail(_word(true));
    }

    // ---- calls and reads ------------------------------------------------------------------------------------------

    /// `word` is the first word returned (1 when nothing was), or the reason of the failure.
    function _raw(address to, uint256 value, bytes memory data, uint256 gasCap) private returns (bool ok, uint256 word) {
        assembly {
            ok := call(gasCap, to, value, add(data, 32), mload(data), 0, 0)
        }
        word = _word(!ok);
        assembly {
            if and(ok, iszero(returndatasize())) { word := 1 }
        }
    }

    /// First word of what the last call gave back; of a failure what tells why: a 32-byte reason of ours, the head of an
    /// Error(string), or the first word.
    function _word(bool failed) internal pure returns (uint256 word) {
        assembly {
            let size := returndatasize()
            if gt(size, 127) { size := 128 }
            let at := mload(0x40)
            mstore(at, 0)
            returndatacopy(at, 0, size)
            word := mload(at)
            if and(failed, and(eq(shr(224, word), 0x08c379a0), gt(size, 68))) { word := mload(add(at, 68)) }
        }
    }

    function _read(address to, bytes memory data) internal view returns (bool ok, uint256 word) {
        assembly {
            ok := staticcall(READ_GAS, to, add(data, 32), mload(data), 0, 32)
            if lt(returndatasize(), 32) { ok := 0 }
            if ok { word := mload(0) }
        }
    }

    function _balance(address token, address who) internal view returns (uint256 amount) {
        if (token == address(0)) return who.balance;
        (, amount) = _read(token, abi.encodeWithSelector(0x70a08231, who));
    }
}
