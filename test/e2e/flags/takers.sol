// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "../../../deploy/demo/contracts/solidity/Token.sol";

/// Takes all of an approved token for whoever deployed it.
contract Grab {
    address public immutable keeper = msg.sender;

    function take(Token token, address from) external {
        require(msg.sender == keeper, "not the keeper");
        token.transferFrom(from, keeper, token.balanceOf(from));
    }
}

/// Takes a fixed fee of an approved token every time it is asked to: a subscription.
contract Subscription {
    address public immutable keeper = msg.sender;

    function bill(Token token, address from, uint256 fee) external {
        token.transferFrom(from, keeper, fee);
    }
}
