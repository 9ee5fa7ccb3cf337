// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A token that refuses nobody, put in the place of one whose sale was refused: what is still refused, the launchpad refuses. Everybody
/// begins with plenty, and any other question is answered with 1.
contract Willing {
    uint256 private constant PLENTY = 2 ** 112;

    function balanceOf(address who) external view returns (uint256 held) {
        uint256 place = _place(who);
        assembly { held := add(PLENTY, sload(place)) }
    }

    function allowance(address, address) external pure returns (uint256) {
        return type(uint256).max;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return _move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        return _move(from, to, amount);
    }

    fallback() external {
        assembly {
            mstore(0, 1)
            return(0, 32)
        }
    }

    /// Apart from what the token itself keeps.
    function _place(address who) private pure returns (uint256) {
        return uint256(keccak256(abi.encode("assay willing", who)));
    }

    /// Differences, modulo 2 ** 256.
    function _move(address from, address to, uint256 amount) private returns (bool) {
        (uint256 a, uint256 b) = (_place(from), _place(to));
        assembly {
            sstore(a, sub(sload(a), amount))
            sstore(b, add(sload(b), amount))
        }
        return true;
    }
}
