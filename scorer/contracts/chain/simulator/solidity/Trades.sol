// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Setup, Swaps} from "./Swaps.sol";

/// Purchases, sales and moves, each in a call of its own. Amounts up to 10000 are basis points of the balance.
abstract contract Trades is Swaps {
    /// Bytes of a setup as calldata.
    uint256 internal constant SETUP = 416;

    /// A call to ourselves with the setup this call came with behind the selector. Leaves what comes back to the caller.
    function _again(uint256 given, bytes4 selector, bytes memory args) internal returns (bool ok) {
        bytes memory input = abi.encodePacked(selector, msg.data[4:4 + SETUP], args);
        assembly {
            ok := call(given, address(), 0, add(input, 32), mload(input), 0, 0)
        }
    }

    /// Trades or moves; `undone`: and takes it back. A refusal's reason is what the call gave back.
    function _play(uint256 given, uint256 op, address actor, address target, uint256 amount, bool undone)
        internal
        returns (uint256 ok, uint256 a, uint256 b, uint256 paid)
    {
        _again(given, this.play.selector, abi.encode(op, actor, target, amount, undone));
        assembly {
            if eq(returndatasize(), 0x80) {
                let at := mload(0x40)
                returndatacopy(at, 0, 0x80)
                ok := mload(at)
                a := mload(add(at, 0x20))
                b := mload(add(at, 0x40))
                paid := mload(add(at, 0x60))
            }
        }
    }

    /// Gives four words back, as revert data when undone. The last is what a sale paid.
    function play(Setup calldata s, uint256 op, address actor, address target, uint256 amount, bool undone) external {
        uint256 a;
        uint256 b;
        uint256 paid;
        if (op == 2) (a, b) = _buy(s, actor, amount);
        else if (op == 3) (a, b, paid) = _sell(s, actor, amount, target);
        else if (op == 8) (a, b) = _move(s.base, address(this), target, amount, false);
        else (a, b) = _move(s.token, actor, target, amount, op == 5);
        assembly {
            let at := mload(0x40)
            mstore(at, 1)
            mstore(add(at, 0x20), a)
            mstore(add(at, 0x40), b)
            mstore(add(at, 0x60), paid)
            if undone { revert(at, 0x80) }
            return(at, 0x80)
        }
    }

    /// Ends a purchase that would give nothing because it is too small: neither accepted nor refused. Four words, which no
    /// contract that is called can give back through us.
    function _tooSmall() private pure {
        assembly {
            let at := mload(0x40)
            mstore(at, 2)
            mstore(add(at, 0x20), 0)
            mstore(add(at, 0x40), 0)
            mstore(add(at, 0x60), 0)
            revert(at, 0x80)
        }
    }

    function _part(uint256 held, uint256 amount) private pure returns (uint256) {
        return amount <= 10_000 ? (held * amount) / 10_000 : amount;
    }

    /// Returns what left and what arrived.
    function _move(address token, address from, address to, uint256 amount, bool byAllowance) private returns (uint256 sent, uint256 arrived) {
        uint256 held = _balance(token, from);
        sent = _part(held, amount);
        if (sent == 0) revert("nothing to move");
        uint256 before = _balance(token, to);
        if (byAllowance) {
            _approve(token, from, address(this), sent);
            _transferFrom(token, from, to, sent);
        } else {
            _transfer(token, from, to, sent);
        }
        uint256 afterwards = _balance(token, to);
        arrived = afterwards > before ? afterwards - before : 0;
        if (arrived == 0 && _balance(token, from) >= held) revert("nothing moved");
    }

    /// Buys with `amount` base units held by the director. Returns what the pool gave and what arrived.
    function _buy(Setup calldata s, address to, uint256 amount) private returns (uint256 expected, uint256 received) {
        uint256 before = _balance(s.token, to);
        if (s.router != address(0)) {
            expected = _quote(s, s.base, amount);
            if (expected == 0) _tooSmall();
            _route(s, s.base, s.token, address(this), to, amount);
        } else if (s.kind == 1 || s.kind == 3) {
            expected = _quote(s, s.base, amount);
            if (expected == 0) _tooSmall();
            _transfer(s.base, address(this), s.pool, amount);
            _swap(s, s.token, expected, to);
        } else if (s.kind == 2) {
            expected = _swap3(s, s.base, address(this), to, amount);
        } else if (s.kind == 4) {
            (expected, ) = _swap4(s, s.base, address(this), to, amount);
        } else {
            (expected, ) = _swapElsewhere(s, s.base, address(this), to, amount);
        }
        if (expected == 0) _tooSmall();
        uint256 afterwards = _balance(s.token, to);
        received = afterwards > before ? afterwards - before : 0;
        if (received == 0) revert("nothing received");
    }

    /// Returns what was sent, what the pool saw arrive, and what it paid. `recipient` of the base; the seller when zero.
    /// Without a market: a transfer to the pool.
    function _sell(Setup calldata s, address from, uint256 amount, address recipient)
        private
        returns (uint256 sent, uint256 arrived, uint256 paid)
    {
        sent = _part(_balance(s.token, from), amount);
        if (sent == 0) revert("nothing to sell");
        if (recipient == address(0)) recipient = from;
        uint256 got = _balance(s.base, recipient);
        arrived = sent;
        if (s.router != address(0)) {
            uint256 full = _quote(s, s.token, sent);
            _route(s, s.token, s.base, from, recipient, sent);
            uint256 given = _balance(s.base, recipient) - got;
            arrived = full == 0 ? 0 : (sent * given) / full;
        } else {
            // A plain account cannot be made to act: it has approved us in a transaction of its own.
            if (from.code.length > 0) _approve(s.token, from, address(this), sent);
            if (s.kind == 1 || s.kind == 3) {
                // What lies beside the reserve already, such as a share of other people's fees, this seller did not send.
                uint256 beside = _beside(s);
                _transferFrom(s.token, from, s.pool, sent);
                uint256 swapped = _beside(s);
                arrived = swapped > beside ? swapped - beside : 0;
                if (arrived == 0) revert("nothing arrived");
                _swap(s, s.base, _quote(s, s.token, swapped), recipient);
            } else if (s.kind == 2) {
                _swap3(s, s.token, from, recipient, sent);
            } else if (s.kind == 4) {
                (, arrived) = _swap4(s, s.token, from, recipient, sent);
            } else if (s.kind > 4) {
                (, arrived) = _swapElsewhere(s, s.token, from, recipient, sent);
            } else {
                uint256 before = _balance(s.token, s.pool);
                _transferFrom(s.token, from, s.pool, sent);
                return (sent, _balance(s.token, s.pool) - before, 0);
            }
        }
        uint256 held = _balance(s.base, recipient);
        if (held <= got) revert("nothing paid");
        paid = held - got;
    }

    /// Tokens that a pair holds beyond its reserve.
    function _beside(Setup calldata s) private view returns (uint256) {
        (uint256 reserve, ) = _reserves(s.pool, s.token, s.base);
        uint256 pooled = _balance(s.token, s.pool);
        return pooled > reserve ? pooled - reserve : 0;
    }

    /// Approves the exchange's router and swaps through it.
    function _route(Setup calldata s, address tokenIn, address tokenOut, address from, address to, uint256 amount) private {
        _approve(tokenIn, from, s.router, amount);
        _must(from, s.router, abi.encodeWithSelector(0x5c11d795, amount, 0, 0xa0, to, block.timestamp, 2, tokenIn, tokenOut));
    }
}
