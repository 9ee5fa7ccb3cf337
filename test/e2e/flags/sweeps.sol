// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "../../../deploy/demo/contracts/solidity/Token.sol";
import {Grab, Subscription} from "./takers.sol";

/// Code for EIP-7702 accounts: whatever coins come in are gone at once.
contract Sweeper {
    address payable public immutable sink;

    constructor(address payable sink_) {
        sink = sink_;
    }

    receive() external payable {
        (bool sent, ) = sink.call{value: msg.value}("");
        require(sent, "refused");
    }
}

/// Code for EIP-7702 accounts of people: does what the account itself tells it.
contract SmartWallet {
    receive() external payable {}

    function execute(address payable to, uint256 value) external {
        require(msg.sender == address(this), "not the account");
        (bool sent, ) = to.call{value: value}("");
        require(sent, "refused");
    }
}

/// Members stake and leave themselves.
contract Stake {
    mapping(address => uint256) public staked;

    function join(Token token, uint256 amount) external {
        staked[msg.sender] += amount;
        token.transferFrom(msg.sender, address(this), amount);
    }

    function leave(Token token) external {
        uint256 amount = staked[msg.sender];
        staked[msg.sender] = 0;
        token.transfer(msg.sender, amount);
    }
}

/// Promises something for a fee and gives nothing: the coins are split between who runs it and who brought the payer.
contract FakeClaim {
    address payable public immutable operator = payable(msg.sender);

    mapping(address => address payable) public broughtBy;

    function brings(address payer) external {
        broughtBy[payer] = payable(msg.sender);
    }

    function claim() external payable {
        (bool one, ) = operator.call{value: msg.value / 5}("");
        (bool other, ) = broughtBy[msg.sender].call{value: msg.value - msg.value / 5}("");
        require(one && other, "refused");
    }
}

/// An airdrop with a fee: the coins go to the team, the claimers get their tokens.
contract Airdrop {
    Token public immutable token;
    address payable public immutable team = payable(msg.sender);

    constructor(Token token_) {
        token = token_;
    }

    function claim() external payable {
        (bool paid, ) = team.call{value: msg.value}("");
        require(paid, "refused");
        token.transfer(msg.sender, 100 ether);
    }
}

/// A lottery: every third ticket wins twice its price, all others go to the house.
contract Lottery {
    address payable public immutable house = payable(msg.sender);
    uint256 public sold;

    function claim() external payable {
        sold += 1;
        (address payable to, uint256 value) = sold % 3 == 0 ? (payable(msg.sender), 2 * msg.value) : (house, msg.value / 3);
        (bool paid, ) = to.call{value: value}("");
        require(paid, "refused");
    }
}
