// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Simulator} from "./Simulator.sol";
import {Setup} from "./Swaps.sol";

/// The simulator with more places to trade, in code of its own: every simulation carries all of it. What `Setup.pool` and
/// `Setup.fee` hold:
/// 5 Curve: the pool; number of the base coin, number of the token << 8, 1 << 16 if its numbers are uint256.
/// 6 Balancer V2: the vault; the pool's id.
/// 7 Balancer V3: the vault; the pool's address.
/// 8, 9 PancakeSwap Infinity, ranges and bins: the vault; fee, parameters << 24, the pool manager << 96.
contract Venues is Simulator {
    uint160 private constant LEAST = 4295128740;
    uint160 private constant MOST = 1461446703485210103287273052203988822378723970341;

    struct Turn {
        uint256 kind;
        address token;
        address base;
        uint256 terms;
        address hooks;
        address tokenIn;
        address payer;
        address to;
        uint256 amount;
    }

    function _swapElsewhere(Setup calldata s, address tokenIn, address payer, address to, uint256 amount)
        internal
        override
        returns (uint256, uint256)
    {
        // What these saw arrive nobody else is told.
        if (s.kind == 5) return (_curve(s, tokenIn, _acting(tokenIn, payer, amount), to, amount), amount);
        if (s.kind == 6) return (_balancer2(s, tokenIn, _acting(tokenIn, payer, amount), to, amount), amount);
        bytes memory turn = abi.encode(Turn(s.kind, s.token, s.base, s.fee, s.hooks, tokenIn, payer, to, amount));
        // `unlock` of Balancer calls what it was given, `lock` of Infinity calls `lockAcquired` with it.
        bytes memory input = s.kind == 7
            ? abi.encodeWithSelector(0x48c89491, abi.encodeWithSelector(this.lockAcquired.selector, turn))
            : abi.encodeWithSelector(0x81548319, turn);
        (bool ok, bytes memory result) = s.pool.call{gas: ACT_GAS}(input);
        if (!ok) _rethrow();
        bytes memory given = abi.decode(result, (bytes));
        return abi.decode(s.kind == 7 ? abi.decode(given, (bytes)) : given, (uint256, uint256));
    }

    /// Who calls a pool that takes tokens from its caller: the seller, or we where the seller cannot be made to act.
    function _acting(address tokenIn, address payer, uint256 amount) private returns (address) {
        if (payer == address(this) || payer.code.length > 0) return payer;
        _transferFrom(tokenIn, payer, address(this), amount);
        return address(this);
    }

    // ---- Curve ----------------------------------------------------------------------------------------------------

    /// Pools of the registered factories take a receiver: last of five arguments, or of six with a flag for the native coin.
    function _curve(Setup calldata s, address tokenIn, address actor, address to, uint256 amount) private returns (uint256) {
        (uint256 i, uint256 j) = (s.fee & 0xff, (s.fee >> 8) & 0xff);
        if (tokenIn == s.token) (i, j) = (j, i);
        uint256 value = tokenIn == address(0) ? amount : 0;
        if (value == 0) _approve(tokenIn, actor, s.pool, amount);
        if (s.fee >> 16 == 0) return _ask(actor, s.pool, value, abi.encodeWithSelector(0xddc1f59d, i, j, amount, 0, to));
        (bool ok, uint256 word) = _as(actor, s.pool, value, abi.encodeWithSelector(0xa64833a0, i, j, amount, 0, to));
        if (ok) return word;
        return _ask(actor, s.pool, value, abi.encodeWithSelector(0xce7d6503, i, j, amount, 0, value > 0, to));
    }

    // ---- Balancer -------------------------------------------------------------------------------------------------

    function _balancer2(Setup calldata s, address tokenIn, address actor, address to, uint256 amount) private returns (uint256) {
        address tokenOut = tokenIn == s.token ? s.base : s.token;
        _approve(tokenIn, actor, s.pool, amount);
        bytes memory swap = abi.encodePacked(
            abi.encodeWithSelector(0x52bbbe29, 0xe0, actor, 0, to, 0, 0, block.timestamp),
            abi.encode(s.fee, 0, tokenIn, tokenOut, amount, 0xc0, 0)
        );
        return _ask(actor, s.pool, 0, swap);
    }

    // ---- vaults that call back ------------------------------------------------------------------------------------

    function lockAcquired(bytes calldata data) external returns (bytes memory) {
        Turn memory t = abi.decode(data, (Turn));
        (uint256 out, uint256 paid) = t.kind == 7 ? _balancer3(t) : _infinity(t);
        return abi.encode(out, paid);
    }

    function _balancer3(Turn memory t) private returns (uint256 out, uint256 paid) {
        address tokenOut = t.tokenIn == t.token ? t.base : t.token;
        address pool = address(uint160(t.terms));
        _pay(t.tokenIn, t.payer, msg.sender, t.amount);
        paid = _ask(address(this), msg.sender, 0, abi.encodeWithSelector(0x15afd409, t.tokenIn, t.amount));
        (bool ok, bytes memory result) = msg.sender.call{gas: ACT_GAS}(
            abi.encodeWithSelector(0x2bfb780c, 0x20, 0, pool, t.tokenIn, tokenOut, paid, 0, 0xe0, 0)
        );
        if (!ok) _rethrow();
        (, , out) = abi.decode(result, (uint256, uint256, uint256));
        _must(address(this), msg.sender, abi.encodeWithSelector(0xae639329, tokenOut, t.to, out));
    }

    function _infinity(Turn memory t) private returns (uint256, uint256) {
        (address c0, address c1) = t.token < t.base ? (t.token, t.base) : (t.base, t.token);
        bool zeroForOne = t.tokenIn == c0;
        bytes memory key = abi.encode(c0, c1, t.hooks, address(uint160(t.terms >> 96)), t.terms & 0xffffff, uint72(t.terms >> 24));
        uint256 paid = _settle(t.tokenIn, t.payer, t.amount);
        bytes memory input = t.kind == 8
            ? abi.encodePacked(
                bytes4(0xcd0cc1ce), key, abi.encode(zeroForOne, -int256(paid), zeroForOne ? LEAST : MOST, 0x140, 0)
            )
            : abi.encodePacked(bytes4(0x911a63b7), key, abi.encode(zeroForOne, -int256(paid), 0x120, 0));
        (bool ok, bytes memory result) = address(uint160(t.terms >> 96)).call{gas: ACT_GAS}(input);
        if (!ok) _rethrow();
        int256 delta = abi.decode(result, (int256));
        int128 out = zeroForOne ? int128(delta) : int128(delta >> 128);
        _must(address(this), msg.sender, abi.encodeWithSelector(0x0b0d9c09, zeroForOne ? c1 : c0, t.to, uint256(int256(out))));
        return (uint256(int256(out)), paid);
    }
}
