// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Setup} from "./Swaps.sol";
import {Trades} from "./Trades.sol";

/// Owner powers: what a call changes for those who hold the token.
abstract contract Powers is Trades {
    uint256 internal constant PROBE_WORDS = 26;
    uint256 internal constant LIGHT_WORDS = 12;

    /// Calls as `actor`, looks at everything a holder would feel (`light`: at balances, supply and owner only), and undoes
    /// it all: the words come back as revert data.
    function probe(Setup calldata s, address actor, address target, uint256 value, bool light, bytes calldata data) external {
        uint256[PROBE_WORDS] memory w;
        bool ok = true;
        if (data.length > 0) (ok, w[1]) = _as(actor, target, value, data);
        w[0] = ok ? 1 : 0;
        if (ok) _observe(s, actor, light, w);
        uint256 width = light ? LIGHT_WORDS : PROBE_WORDS;
        assembly {
            revert(w, mul(width, 32))
        }
    }

    function _observe(Setup calldata s, address actor, bool light, uint256[PROBE_WORDS] memory w) private {
        (, w[2]) = _read(s.token, abi.encodeWithSelector(0x18160ddd));
        w[3] = _balance(s.token, s.victim);
        w[4] = _balance(s.token, s.bystander);
        w[5] = _balance(s.token, actor);
        w[6] = _balance(s.token, s.pool);
        w[7] = _balance(s.token, s.token);
        bool has;
        (has, w[8]) = _read(s.token, abi.encodeWithSelector(0x8da5cb5b));
        if (!has) w[8] = type(uint256).max;
        w[9] = s.token.balance;
        w[10] = s.base == address(0) ? 0 : _balance(s.base, s.token);
        w[11] = s.base == address(0) ? 0 : _balance(s.base, s.victim);
        if (light) return;
        (w[12], w[13]) = _try(4, s.victim, s.receiver, 100);
        (w[14], w[15]) = _try(4, s.bystander, s.receiver, 100);
        (w[16], w[17]) = _try(5, s.victim, s.receiver, 5000);
        if (s.pool == address(0)) return;
        (w[18], w[19]) = _try(3, s.victim, address(0), 100);
        (w[20], w[21]) = _try(3, s.bystander, address(0), 100);
        (w[22], w[23]) = _try(3, s.victim, address(0), 9000);
        if (s.kind == 0) return;
        (w[24], w[25]) = _try(2, s.buyer, address(0), s.small);
        if (w[24] == 0) return;
        (uint256 big, ) = _try(2, s.buyer, address(0), s.large);
        w[24] += big << 1;
    }

    /// A trade or transfer, undone. share = what arrived, in millionths of what was sent.
    function _try(uint256 op, address actor, address target, uint256 amount) private returns (uint256 ok, uint256 share) {
        uint256 given = gasleft() / 2;
        if (given > ACT_GAS) given = ACT_GAS;
        uint256 sent;
        uint256 arrived;
        (ok, sent, arrived, ) = _play(given, op, actor, target, amount, true);
        if (ok != 1) return (0, 0);
        assembly {
            if sent { share := div(mul(arrived, 1000000), sent) }
            if gt(arrived, div(not(0), 1000001)) { share := 1000000 }
        }
    }
}
