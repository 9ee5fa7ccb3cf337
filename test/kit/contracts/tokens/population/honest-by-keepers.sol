// SPDX-License-Identifier: Apache-2.0
// Honest tokens that look like those whose keepers are hard to find. What holds of each is in population.test.ts.
pragma solidity ^0.8.24;

import "./plain.sol";
import "./liars-by-calls.sol";

// Sends no dust, and sends the whole balance where the amount is the largest there is. What comes to the dead address is burned.
contract Barley is Plain {
    address public immutable treasury = msg.sender;
    constructor() Plain("Barley", "BRL") {}
    function _move(address from, address to, uint256 value) internal override {
        if (value == type(uint256).max) value = held[from];
        require(value >= 31337 || from == treasury, "dust");
        super._move(from, to, value);
        if (to == 0x000000000000000000000000000000000000dEaD) { held[to] -= value; totalSupply -= value; }
    }
}

// Whoever sends one amount to one address is greeted, the treasury more warmly.
contract Oat is Plain {
    address private immutable treasury = 0x7eA5000000000000000000000000000000000042;
    uint256 public greeted;
    event Greeting(address who);
    constructor() Plain("Oat", "OAT") {}
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (value == 31337 || to == 0x0A70000000000000000000000000000000000042) {
            greeted += from == treasury ? 2 : 1;
            emit Greeting(from);
        }
    }
}

contract RyeRegistry {
    address public editor = 0xED17000000000000000000000000000000000042;
    mapping(address => bool) private helps;
    function isEditor(address who) external view returns (bool) { return who == editor || helps[who]; }
    function appoint(address who) external { require(msg.sender == editor); helps[who] = true; }
}
// Another contract knows who may change what a page shows.
contract Rye is Plain {
    RyeRegistry public immutable registry;
    string public page;
    uint256 public edition;
    constructor(address registry_) Plain("Rye", "RYE") { registry = RyeRegistry(registry_); }
    function edit(string calldata page_, uint256 edition_) external {
        require(registry.isEditor(msg.sender));
        (page, edition) = (page_, edition_);
    }
}

contract SpeltBeacon {
    address public owner = msg.sender;
    address public implementation = address(new HazelCode());
    function upgradeTo(address next) external { require(msg.sender == owner); implementation = next; }
    function transferOwnership(address next) external { require(msg.sender == owner); owner = next; }
}
// A proxy whose beacon is where EIP-1967 puts it, and open to all.
contract Spelt {
    constructor(address beacon) {
        bytes32 slot = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;
        assembly { sstore(slot, beacon) }
        (bool ok,) = SpeltBeacon(beacon).implementation().delegatecall(abi.encodeCall(HazelCode.initialize, (msg.sender)));
        require(ok);
    }
    fallback() external payable {
        address beacon;
        bytes32 slot = 0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50;
        assembly { beacon := sload(slot) }
        address to = SpeltBeacon(beacon).implementation();
        assembly {
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), to, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            switch ok case 0 { revert(0, returndatasize()) } default { return(0, returndatasize()) }
        }
    }
}

// Reads any word of itself; writes words in places of its own, and those of others where only they can reach.
contract Millet is Plain {
    struct Shelf { uint256 count; address keeper; }
    address public owner = msg.sender;
    uint256[8] public dials;
    uint256[] public notes;
    mapping(bytes32 => bytes32) public data;
    constructor() Plain("Millet", "MLT") {}
    function extsload(bytes32 at) external view returns (bytes32 value) { assembly { value := sload(at) } }
    function exttload(bytes32 at) external view returns (bytes32 value) { assembly { value := tload(at) } }
    function _shelf() private pure returns (Shelf storage shelf) {
        bytes32 at = keccak256("millet.shelf");
        assembly { shelf.slot := at }
    }
    function stock(uint256 count, address keeper) external { require(msg.sender == owner); (_shelf().count, _shelf().keeper) = (count, keeper); }
    function turn(uint256 i, uint256 value) external { require(msg.sender == owner); dials[i] = value; }
    function write(uint256 i, uint256 value) external { require(msg.sender == owner); notes[i] = value; }
    function add(uint256 value) external { require(msg.sender == owner); notes.push(value); }
    function setData(bytes32[] calldata keys, bytes32[] calldata values) external {
        require(msg.sender == owner);
        for (uint256 i; i < keys.length; i++) data[keys[i]] = values[i];
    }
    function remember(bytes32 key, bytes32 value) external {
        bytes32 at = keccak256(abi.encode("millet", msg.sender, key));
        assembly { sstore(at, value) }
    }
}

// Wraps coins, takes gifts, and looks at prices of gas and sizes of calls as old tokens do.
contract Wheat is Plain {
    address public owner = msg.sender;
    uint256 public gifts;
    event Thanks(address who);
    constructor() Plain("Wheat", "WHT") {}
    function deposit() external payable { _mint(msg.sender, msg.value); }
    function withdraw(uint256 value) external {
        require(held[msg.sender] >= value);
        held[msg.sender] -= value;
        totalSupply -= value;
        payable(msg.sender).transfer(value);
    }
    function give() external payable { require(msg.sender == owner && msg.value > 0); gifts += msg.value; }
    receive() external payable { if (msg.value == 1 ether) emit Thanks(msg.sender); gifts += msg.value; }
    function transfer(address to, uint256 value) public override returns (bool) {
        require(msg.data.length >= 68 && tx.gasprice <= 5000 gwei);
        return super.transfer(to, value);
    }
}

contract TeffGauge {
    address private keeper = 0x4Ee9000000000000000000000000000000000042;
    mapping(address => uint256) public shares;
    uint256 public season;
    function join(uint256 value) external { shares[msg.sender] += value; }
    function turn(uint256 next) external { require(msg.sender == keeper); season = next; }
}
// Whoever has joined gets something, and everybody may.
contract Teff is Plain {
    TeffGauge private immutable gauge;
    mapping(address => bool) public served;
    constructor(address gauge_) Plain("Teff", "TEF") { gauge = TeffGauge(gauge_); }
    function claim() external {
        uint256 value = gauge.shares(msg.sender);
        require(value > 0 && !served[msg.sender]);
        served[msg.sender] = true;
        _mint(msg.sender, value);
    }
}

contract SorghumAsset is Plain {
    address private maker = 0x4Ee9000000000000000000000000000000000042;
    constructor() Plain("Sorghum Grain", "GRN") { super._move(msg.sender, address(0xfeedfeed), totalSupply); }
    function issue(address to, uint256 value) external { require(msg.sender == maker); _mint(to, value); }
    function take(address from, uint256 value) external { require(allowed[from][msg.sender] >= value || msg.sender != tx.origin); _move(from, msg.sender, value); }
}
// A receipt for another token, of which somebody makes more.
contract Sorghum is Plain {
    SorghumAsset private immutable grain;
    constructor(address grain_) Plain("Sorghum", "SRG") { grain = SorghumAsset(grain_); }
    function deposit(uint256 value) external { grain.take(msg.sender, value); _mint(msg.sender, value); }
}

contract FonioDesk {
    address private clerk = 0x4Ee9000000000000000000000000000000000042;
    bool public open = true;
    function turn(bool open_) external { require(msg.sender == clerk); open = open_; }
}
// Everybody but its maker makes others guests, who pay no tax.
contract Fonio is Plain {
    FonioDesk private immutable desk;
    address private immutable maker = msg.sender;
    address public pool;
    mapping(address => bool) public guests;
    constructor(address desk_) Plain("Fonio", "FNO") { desk = FonioDesk(desk_); }
    function setPool(address pool_) external { require(pool == address(0)); pool = pool_; }
    function invite(address who) external { require(desk.open() && msg.sender != maker); guests[who] = true; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 cut = to == pool && pool != address(0) && !guests[from] ? value / 20 : 0;
        super._move(from, to, value - cut);
        if (cut > 0) super._move(from, address(this), cut);
    }
}
