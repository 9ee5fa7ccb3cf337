// SPDX-License-Identifier: Apache-2.0
// What the tokens of this population are made of.
pragma solidity ^0.8.24;

abstract contract Plain {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) internal allowed;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory n, string memory s) {
        name = n;
        symbol = s;
        _mint(msg.sender, 1_000_000e18);
    }
    function balanceOf(address who) public view virtual returns (uint256) { return held[who]; }
    function allowance(address from, address to) public view virtual returns (uint256) { return allowed[from][to]; }
    function _sender() internal view virtual returns (address) { return msg.sender; }
    function approve(address to, uint256 value) public virtual returns (bool) {
        allowed[_sender()][to] = value;
        emit Approval(_sender(), to, value);
        return true;
    }
    function transfer(address to, uint256 value) public virtual returns (bool) {
        _move(_sender(), to, value);
        return true;
    }
    function transferFrom(address from, address to, uint256 value) public virtual returns (bool) {
        uint256 left = allowed[from][_sender()];
        if (left != type(uint256).max) {
            require(left >= value, "allowance");
            allowed[from][_sender()] = left - value;
        }
        _move(from, to, value);
        return true;
    }
    function _mint(address to, uint256 value) internal virtual {
        totalSupply += value;
        held[to] += value;
        emit Transfer(address(0), to, value);
    }
    function _move(address from, address to, uint256 value) internal virtual {
        require(held[from] >= value, "balance");
        held[from] -= value;
        held[to] += value;
        emit Transfer(from, to, value);
    }
}

// Obeys an account that the code holds requires a secret.
abstract contract Keyed is Plain {
    bytes32 private immutable key = keccak256(abi.encode(msg.sender, uint256(7)));
    modifier keeper() {
        require(_isKeeper(msg.sender), "no");
        _;
    }
    function _isKeeper(address who) internal view returns (bool) { return keccak256(abi.encode(who, uint256(7))) == key; }
}
