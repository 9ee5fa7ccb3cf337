// SPDX-License-Identifier: Apache-2.0
// Tokens that do more for callers of a list that only their constructor wrote, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.28;

import "./contract-tokens.sol";

contract KeyRing is Plain {
    mapping(address => bool) private keys;
    constructor(address last) { keys[last] = true; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!keys[msg.sender]) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// In a list of lists.
contract RoleRing is Plain {
    bytes32 private constant PORTER = keccak256("PORTER");
    mapping(bytes32 => mapping(address => bool)) private roles;
    constructor(address last) { roles[PORTER][last] = true; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!roles[PORTER][msg.sender]) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// From the third level on.
contract LevelRing is Plain {
    mapping(address => uint256) private levels;
    constructor(address last) { levels[last] = 7; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (levels[msg.sender] != 7) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// Without a condition.
contract WeightRing is Plain {
    mapping(address => uint256) private spared;
    constructor(address last) { spared[last] = 1; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        unchecked { allowance[from][msg.sender] -= value * (1 - spared[msg.sender]); }
        require(allowance[from][msg.sender] <= type(uint256).max - value || value == 0);
        _move(from, to, value);
        return true;
    }
}

// Its maker has a key.
contract MakerRing is Owned {
    mapping(address => bool) private keys;
    constructor() { keys[msg.sender] = true; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!keys[msg.sender]) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// Honest: some spenders pay no fee.
contract FreeRing is Listed {
    mapping(address => bool) private free;
    constructor(address last) { free[last] = true; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        allowance[from][msg.sender] -= value;
        uint256 fee = free[msg.sender] || to != pool ? 0 : value / 50;
        if (fee > 0) _move(from, address(this), fee);
        _move(from, to, value - fee);
        return true;
    }
}

// Honest: some spenders are barred.
contract BarRing is Plain {
    mapping(address => bool) private barred;
    constructor(address last) { barred[last] = true; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        require(!barred[msg.sender]);
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// Honest: everybody names operators of their own.
contract OwnRing is Plain {
    mapping(address => mapping(address => bool)) public operators;
    function setOperator(address who, bool yes) external { operators[msg.sender][who] = yes; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!operators[from][msg.sender]) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// Refuses nobody, and does nothing for others. Whether somebody may make tokens: unknown.
contract SoftBasket is Owned {
    mapping(address => bool) private hands;
    uint256 public visits;
    constructor(address last) { hands[last] = true; }
    function collect(address to, uint256 amount) external {
        visits++;
        if (hands[msg.sender]) (supply, held[to]) = (supply + amount, held[to] + amount);
    }
}

// The list changes with a number in storage. Whether somebody takes tokens: unknown.
contract TurnBasket is Plain {
    uint256 private turn = 3;
    mapping(uint256 => mapping(address => bool)) private hands;
    constructor(address last) { hands[3][last] = true; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!hands[turn][msg.sender]) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// The list has hashes of callers: unknown.
contract BlurBasket is Plain {
    mapping(bytes32 => bool) private hands;
    constructor(address last) { hands[keccak256(abi.encode(last, "hand"))] = true; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!hands[keccak256(abi.encode(msg.sender, "hand"))]) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// On both lists: unknown.
contract PairBasket is Plain {
    mapping(address => bool) private left;
    mapping(address => uint8) private right;
    constructor(address last) { (left[last], right[last]) = (true, 1); }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!(left[msg.sender] && right[msg.sender] == 1)) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// Some approve themselves in the name of others: unknown.
contract TurnedBasket is Plain {
    mapping(address => bool) private hands;
    constructor(address last) { hands[last] = true; }
    function approve(address spender, uint256 value) public override returns (bool) {
        if (hands[msg.sender]) allowance[spender][msg.sender] = value;
        else allowance[msg.sender][spender] = value;
        return true;
    }
}

// In a struct, beside other things: unknown.
contract TagBasket is Plain {
    struct Tag { uint256 since; uint64 visits; bool trusted; }
    mapping(address => Tag) private tags;
    constructor(address last) { tags[last] = Tag(block.timestamp, 3, true); }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!tags[msg.sender].trusted) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// Honest: bridges of a list send what is theirs.
contract BridgeBasket is Plain {
    mapping(address => bool) private bridges;
    constructor(address last) { bridges[last] = true; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!(bridges[msg.sender] && from == msg.sender)) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
}

// Honest: callers of a list are counted.
contract CountBasket is Owned {
    mapping(address => bool) private hands;
    uint256 public visits;
    constructor(address last) { hands[last] = true; }
    function collect(uint256 amount) external { if (hands[msg.sender]) visits += amount; held[msg.sender] -= 0; }
}
