// SPDX-License-Identifier: Apache-2.0
// Tokens whose owner needs two calls to freeze, stop or tax, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.28;

import "./contract-tokens.sol";

contract PendingBar is Owned {
    address private noted;
    mapping(address => bool) private off;
    function note(address who) external onlyOwner { noted = who; }
    function file() external onlyOwner { off[noted] = true; }
    function _move(address from, address to, uint256 value) internal override { require(!off[from]); super._move(from, to, value); }
}

contract PendingToll is Listed {
    uint256 private next;
    uint256 private toll;
    function propose(uint256 share) external onlyOwner { next = share; }
    function settle() external onlyOwner { require(next > 0 && next < 100); toll = next; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value * toll / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

contract PendingGate is Listed {
    bool private armed;
    bool private closed;
    function arm(bool yes) external onlyOwner { armed = yes; }
    function turn() external onlyOwner { require(armed); closed = true; }
    function _move(address from, address to, uint256 value) internal override { require(!closed || from == owner); super._move(from, to, value); }
}

contract PendingCap is Listed {
    uint256 private next = type(uint256).max;
    uint256 private most = type(uint256).max;
    function propose(uint256 amount) external onlyOwner { next = amount; }
    function settle() external onlyOwner { most = next; }
    function _move(address from, address to, uint256 value) internal override { require(value <= most || from == owner); super._move(from, to, value); }
}

// Honest: the same calls keep a note.
contract PendingNote is Owned {
    address private noted;
    mapping(address => bool) public friends;
    function note(address who) external onlyOwner { noted = who; }
    function file() external onlyOwner { friends[noted] = true; }
}

// Honest: a toll of two percent at most, which only falls.
contract PendingRelief is Listed {
    uint256 private next = 2;
    uint256 public toll = 2;
    function propose(uint256 share) external onlyOwner { next = share; }
    function settle() external onlyOwner { if (next < toll) toll = next; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value * toll / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// After three days somebody named is frozen.
contract SlowBar is Owned {
    address private noted;
    uint256 private when;
    mapping(address => bool) private off;
    function note(address who) external onlyOwner { (noted, when) = (who, block.timestamp + 3 days); }
    function file() external onlyOwner { require(when > 0 && block.timestamp >= when); off[noted] = true; }
    function _move(address from, address to, uint256 value) internal override { require(!off[from]); super._move(from, to, value); }
}

// Two switches together stop everybody.
contract TwinGate is Listed {
    bool private left;
    bool private right;
    function first(bool on) external onlyOwner { left = on; }
    function second(bool on) external onlyOwner { right = on; }
    function _move(address from, address to, uint256 value) internal override { require(!(left && right) || from == owner); super._move(from, to, value); }
}

// Honest: two switches together raise a flag.
contract TwinFlag is Listed {
    bool public left;
    bool public right;
    uint256 public raised;
    function first(bool on) external onlyOwner { left = on; }
    function second(bool on) external onlyOwner { right = on; }
    function _move(address from, address to, uint256 value) internal override { if (left && right) raised++; super._move(from, to, value); }
}

// Honest: holders may bar themselves, and the owner files what they ask for.
contract WishBar is Owned {
    mapping(address => bool) private wished;
    mapping(address => bool) public off;
    function wish(bool yes) external { wished[msg.sender] = yes; }
    function file(address who) external onlyOwner { if (wished[who]) off[who] = true; }
    function _move(address from, address to, uint256 value) internal override { require(!off[from]); super._move(from, to, value); }
}

// Honest: a wait between sales, of ten minutes at most, once it is switched on.
contract PaceGate is Listed {
    bool public paced;
    uint256 public pace = 60;
    mapping(address => uint256) private last;
    function walk(bool on) external onlyOwner { paced = on; }
    function tune(uint256 seconds_) external onlyOwner { require(seconds_ <= 600); pace = seconds_; }
    function _move(address from, address to, uint256 value) internal override {
        if (paced && to == pool && from != owner) { require(block.timestamp >= last[from] + pace); last[from] = block.timestamp; }
        super._move(from, to, value);
    }
}

// Its owner may fold the word anew, and open it again: tokens are made, or unknown.
contract RefoldedLinen is Plain {
    bool private unrolled = true;
    address public owner = msg.sender;
    function fold(uint256 word) external { require(msg.sender == owner); assembly { sstore(unrolled.slot, word) } }
    function open(address to) external { require(!unrolled); (unrolled, owner, supply) = (true, to, supply + 1_000_000 ether); held[to] += 1_000_000 ether; }
}

// Its owner may unroll it, and then it is opened again: tokens are made.
contract AiredLinen is Plain {
    bool private unrolled = true;
    address public owner = msg.sender;
    function transferOwnership(address to) external { require(msg.sender == owner); owner = to; }
    function air() external { require(msg.sender == owner); unrolled = false; }
    function open(address to) external { require(!unrolled); (unrolled, owner, supply) = (true, to, supply + 1_000_000 ether); held[to] += 1_000_000 ether; }
}
