// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {Token} from "../../../deploy/demo/contracts/solidity/Token.sol";

/// A dollar coin with Tether's blacklist and its events, for USDT's address: the issuer is an immutable, storage starts empty.
contract Tether {
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    event AddedBlackList(address _user);
    event RemovedBlackList(address _user);
    event DestroyedBlackFunds(address _blackListedUser, uint256 _balance);

    string public constant name = "Tether USD";
    string public constant symbol = "USDT";
    uint8 public constant decimals = 6;
    address public immutable owner;
    mapping(address => uint256) public balanceOf;
    mapping(address => bool) public isBlackListed;

    modifier onlyOwner() {
        require(msg.sender == owner, "not the issuer");
        _;
    }

    constructor(address issuer) {
        owner = issuer;
    }

    function issue(address to, uint256 amount) external onlyOwner {
        balanceOf[to] += amount;
        emit Transfer(address(0), to, amount);
    }

    function addBlackList(address user) external onlyOwner {
        isBlackListed[user] = true;
        emit AddedBlackList(user);
    }

    function removeBlackList(address user) external onlyOwner {
        isBlackListed[user] = false;
        emit RemovedBlackList(user);
    }

    function destroyBlackFunds(address user) external onlyOwner {
        require(isBlackListed[user], "not blacklisted");
        uint256 all = balanceOf[user];
        balanceOf[user] = 0;
        emit DestroyedBlackFunds(user, all);
    }

    function transfer(address to, uint256 value) external {
        require(!isBlackListed[msg.sender], "blacklisted");
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
    }
}

/// A mixer pool of a token, with the events of Tornado Cash.
contract TokenMixer {
    event Deposit(bytes32 indexed commitment, uint32 leafIndex, uint256 timestamp);

    Token public immutable token;
    uint256 public immutable denomination;
    uint32 public nextIndex;

    constructor(Token token_, uint256 denomination_) {
        token = token_;
        denomination = denomination_;
    }

    function deposit(bytes32 commitment) external payable {
        token.transferFrom(msg.sender, address(this), denomination);
        emit Deposit(commitment, nextIndex++, block.timestamp);
    }
}

/// A bridge's side of this chain: keeps what it is given.
contract Portal {
    function depositTransaction(address) external payable {}
}
