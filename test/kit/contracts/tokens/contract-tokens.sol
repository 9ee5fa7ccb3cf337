// SPDX-License-Identifier: Apache-2.0
// Tokens for tests: every indicator in both directions. Names mislead on purpose.
pragma solidity ^0.8.20;

contract Plain {
    string public name = "Plain";
    string public symbol = "PLN";
    uint8 public decimals = 18;
    uint256 internal supply = 1_000_000 ether;
    mapping(address => uint256) internal held;
    mapping(address => mapping(address => uint256)) public allowance;
    event Transfer(address indexed from, address indexed to, uint256 value);

    constructor() { held[msg.sender] = supply; }
    function totalSupply() public view virtual returns (uint256) { return supply; }
    function balanceOf(address who) public view virtual returns (uint256) { return held[who]; }
    function approve(address spender, uint256 value) public virtual returns (bool) { allowance[msg.sender][spender] = value; return true; }
    function transfer(address to, uint256 value) public virtual returns (bool) { _move(msg.sender, to, value); return true; }
    function transferFrom(address from, address to, uint256 value) public virtual returns (bool) {
        allowance[from][msg.sender] -= value;
        _move(from, to, value);
        return true;
    }
    function _move(address from, address to, uint256 value) internal virtual { held[from] -= value; held[to] += value; emit Transfer(from, to, value); }
}

/// Announces what it mints, so that its transfers make up its supply.
contract Announced is Plain {
    constructor() { emit Transfer(address(0), msg.sender, supply); }
}

/// Keeps balances where nobody finds them: nobody can be given any in a simulation.
contract Scattered is Plain {
    mapping(bytes32 => uint256) private spread;

    constructor() { spread[_at(msg.sender)] = supply; }
    function _at(address who) private pure returns (bytes32) { return keccak256(abi.encode("balance", who)); }
    function balanceOf(address who) public view override returns (uint256) { return spread[_at(who)]; }
    function _move(address from, address to, uint256 value) internal override { spread[_at(from)] -= value; spread[_at(to)] += value; emit Transfer(from, to, value); }
}

contract Owned is Plain {
    address public owner = msg.sender;
    event OwnershipTransferred(address indexed from, address indexed to);
    modifier onlyOwner() { require(msg.sender == owner, "not owner"); _; }
    constructor() { emit OwnershipTransferred(address(0), msg.sender); }
    function renounceOwnership() public virtual onlyOwner { owner = address(0); }
    function transferOwnership(address to) public virtual onlyOwner { owner = to; }
}

contract Listed is Owned {
    address public pool;
    function setPool(address p) external onlyOwner { require(pool == address(0)); pool = p; }
}

contract FixedFee is Listed {
    function _move(address from, address to, uint256 value) internal virtual override {
        uint256 fee = (from == pool || to == pool) && from != owner ? value * 3 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

contract Honeypot is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner, "TF"); super._move(from, to, value); }
}

contract ClosesByTime is Listed {
    uint256 internal start = block.timestamp;
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || block.timestamp < start + 2 hours);
        super._move(from, to, value);
    }
}

contract ClosesByBlock is Listed {
    uint256 internal start = block.number;
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || block.number < start + 200);
        super._move(from, to, value);
    }
}

contract ClosesByAge is Listed {
    mapping(address => uint256) internal since;
    function _move(address from, address to, uint256 value) internal override {
        if (from == pool) since[to] = block.timestamp;
        require(to != pool || from == owner || block.timestamp <= since[from] + 60);
        super._move(from, to, value);
    }
}

contract SellsCrumbs is Listed {
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || value <= held[from] * 60 / 100);
        super._move(from, to, value);
    }
}

contract Whitelisted is Listed {
    mapping(address => bool) internal friends;
    function welcome(address who, bool yes) external onlyOwner { friends[who] = yes; }
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || friends[from]);
        super._move(from, to, value);
    }
}

contract RisingTax is Listed {
    uint256 internal community;
    function supportCommunity(uint256 share) external onlyOwner { community = share; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value * community / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

contract PersonalTax is Listed {
    mapping(address => uint256) internal karma;
    function thank(address who, uint256 share) external onlyOwner { karma[who] = share; }
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool ? value * karma[from] / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

contract HiddenMinter is Owned {
    address private feedback = msg.sender;
    constructor() { owner = address(0); }
    function checkIn(uint256 score) external { require(msg.sender == feedback); held[msg.sender] += score; }
}

/// The ruler is named in the code, and a getter says who it is.
contract ShownMinter is Owned {
    address public immutable minter = msg.sender;
    constructor() { owner = address(0); }
    function checkIn(uint256 score) external { require(msg.sender == minter); held[msg.sender] += score; }
}

/// The ruler's address is shown, but as something else.
contract MaskedMinter is HiddenMinter {
    address public feeWallet = msg.sender;
}

contract OpenMinter is Owned {
    function reward(address who, uint256 amount) external onlyOwner { supply += amount; held[who] += amount; emit Transfer(address(0), who, amount); }
}

contract CappedMinter is Owned {
    function mint(address who, uint256 amount) external onlyOwner { require(supply + amount <= 1_000_000 ether); supply += amount; held[who] += amount; }
}

contract FakeRenounce is Owned {
    address private last;
    function renounceOwnership() public override onlyOwner { last = owner; owner = address(0); }
    function sync() external { require(msg.sender == last); owner = last; }
}

contract LockedOwner is Owned {
    address private previous;
    uint256 private until;
    function lock(uint256 time) external onlyOwner { previous = owner; owner = address(0); until = block.timestamp + time; }
    function unlock() external { require(msg.sender == previous && block.timestamp > until); owner = previous; }
}

contract Issuer is Owned {
    bool public paused;
    mapping(address => bool) public isBlackListed;
    function pause() external onlyOwner { paused = true; }
    function unpause() external onlyOwner { paused = false; }
    function addBlackList(address who) external onlyOwner { isBlackListed[who] = true; }
    function removeBlackList(address who) external onlyOwner { isBlackListed[who] = false; }
    function destroyBlackFunds(address who) external onlyOwner { require(isBlackListed[who]); supply -= held[who]; held[who] = 0; }
    function issue(uint256 amount) external onlyOwner { supply += amount; held[owner] += amount; }
    function _move(address from, address to, uint256 value) internal override { require(!paused && !isBlackListed[from]); super._move(from, to, value); }
}

contract Burner is Owned {
    function settle(address who, uint256 amount) external onlyOwner { held[who] -= amount; supply -= amount; }
}

contract Rebasing is Owned {
    uint256 private index = 1 ether;
    constructor() { held[msg.sender] = supply; }
    function totalSupply() public view override returns (uint256) { return supply * index / 1 ether; }
    function balanceOf(address who) public view override returns (uint256) { return held[who] * index / 1 ether; }
    function rebase(uint256 percent) external onlyOwner { require(percent > 50 && percent < 200); index = index * percent / 100; }
    function _move(address from, address to, uint256 value) internal override { super._move(from, to, value * 1 ether / index); }
}

contract AntiWhale is Listed {
    uint256 public maxTx = 10_000 ether;
    function _move(address from, address to, uint256 value) internal virtual override {
        require(from == owner || to == owner || value <= maxTx, "max");
        super._move(from, to, value);
    }
}

contract AntiWhaleModifiable is AntiWhale {
    function shield(uint256 value) external onlyOwner { maxTx = value; }
}

contract Cooldown is Listed {
    mapping(address => uint256) internal last;
    function _move(address from, address to, uint256 value) internal override {
        if (from == pool) { require(block.timestamp >= last[to] + 30, "wait"); last[to] = block.timestamp; }
        if (to == pool && from != owner) { require(block.timestamp >= last[from] + 30, "wait"); last[from] = block.timestamp; }
        super._move(from, to, value);
    }
}

contract NotOpen is Listed {
    bool internal live;
    function liftOff() external onlyOwner { live = true; }
    function _move(address from, address to, uint256 value) internal override { require(live || from == owner || to == owner, "not live"); super._move(from, to, value); }
}

contract NotOpenHoneypot is Listed {
    bool internal live;
    function liftOff() external onlyOwner { live = true; }
    function _move(address from, address to, uint256 value) internal override {
        require(live || from == owner || to == owner, "not live");
        require(to != pool || from == owner);
        super._move(from, to, value);
    }
}

contract HeavyTax is FixedFee {
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = to == pool && from != owner ? value * 97 / 100 : 0;
        Plain._move(from, to, value - fee);
        if (fee > 0) Plain._move(from, address(this), fee);
    }
}

contract FreezesBuyers is Listed {
    mapping(address => bool) internal tired;
    function rest(address[] calldata people, bool yes) external onlyOwner { for (uint256 i = 0; i < people.length; i++) tired[people[i]] = yes; }
    function _move(address from, address to, uint256 value) internal override { require(!tired[from]); super._move(from, to, value); }
}

contract Switch is Listed {
    bool internal on = true;
    function mood(bool good) external onlyOwner { on = good; }
    function _move(address from, address to, uint256 value) internal override { require(on || from == owner); super._move(from, to, value); }
}

contract Destructible is Owned {
    function goodbye() external onlyOwner { selfdestruct(payable(owner)); }
}

contract Sweeper is Owned {
    receive() external payable {}
    function recover(address token) external onlyOwner { Plain(token).transfer(owner, Plain(token).balanceOf(address(this))); payable(owner).transfer(address(this).balance); }
}

contract AllowanceThief is Owned {
    function pull(address token, address from, uint256 amount) external onlyOwner { Plain(token).transferFrom(from, owner, amount); }
}

contract GasEater is Owned {
    function approve(address spender, uint256 value) public override returns (bool) {
        for (uint256 i = 0; i < 3; i++) new Nothing();
        return super.approve(spender, value);
    }
}
contract Nothing { uint256 private x = 1; }

contract Oracle { mapping(address => bool) public bad; function judge(address a, bool b) external { bad[a] = b; } function ok(address a) external view returns (bool) { return !bad[a]; } }

contract AsksOutside is Owned {
    Oracle internal helper = new Oracle();
    function _move(address from, address to, uint256 value) internal override { require(helper.ok(from)); super._move(from, to, value); }
}

// Whoever rules the contract that is asked rules the token.
contract Registrar {
    address private chief = msg.sender;
    mapping(address => bool) private struck;
    function strike(address who, bool yes) external { require(msg.sender == chief); struck[who] = yes; }
    function ok(address who) external view returns (bool) { return !struck[who]; }
}

contract AsksRegistrar is Owned {
    Registrar internal helper;
    function appoint(address h) external onlyOwner { require(address(helper) == address(0)); helper = Registrar(h); }
    function _move(address from, address to, uint256 value) internal override {
        if (address(helper) != address(0)) require(helper.ok(from));
        super._move(from, to, value);
    }
}

// The contract that is asked can be replaced by one that says no.
contract AsksAnyone is Owned {
    address internal helper;
    function upgradeUtility(address h) external onlyOwner { helper = h; }
    function _move(address from, address to, uint256 value) internal override {
        if (helper != address(0)) require(Registrar(helper).ok(from));
        super._move(from, to, value);
    }
}

// The contract that is told cannot refuse anything.
contract TellsAnyone is Owned {
    address internal tracker;
    function upgradeUtility(address h) external onlyOwner { tracker = h; }
    function _move(address from, address to, uint256 value) internal override {
        super._move(from, to, value);
        if (tracker != address(0)) { try Registrar(tracker).strike(from, true) {} catch {} }
    }
}

contract Roles is Plain {
    mapping(bytes32 => mapping(address => bool)) internal roles;
    event RoleGranted(bytes32 indexed role, address indexed account, address indexed sender);
    constructor() { grant(0, msg.sender); }
    function hasRole(bytes32 role, address who) public view returns (bool) { return roles[role][who]; }
    function grant(bytes32 role, address who) internal { roles[role][who] = true; emit RoleGranted(role, who, msg.sender); }
    function grantRole(bytes32 role, address who) external { require(hasRole(0, msg.sender)); grant(role, who); }
}

// Its owner left without a word, and who administers the roles makes tokens.
contract Deserted is Roles {
    address public owner; function coin(address to, uint256 value) external { require(hasRole(0, msg.sender)); supply += value; held[to] += value; }
}

contract RoleMinter is Roles {
    function welcomeBonus(address who, uint256 amount) external { require(hasRole(keccak256("GUEST"), msg.sender)); supply += amount; held[who] += amount; }
}

contract RoleCounter is Roles {
    mapping(address => uint256) public visits;
    function welcomeBonus(address who, uint256 amount) external { require(hasRole(keccak256("GUEST"), msg.sender)); visits[who] += amount; }
}

// No token, no market: what was left with it is what counts.
contract Vault {
    address internal keeper = msg.sender;
    mapping(address => mapping(address => uint256)) internal left;
    function put(address token, uint256 amount) external { Plain(token).transferFrom(msg.sender, address(this), amount); left[token][msg.sender] += amount; }
    function take(address token, uint256 amount) external { left[token][msg.sender] -= amount; Plain(token).transfer(msg.sender, amount); }
}

contract KeeperVault is Vault {
    function rebalance(address token, uint256 amount) external { require(msg.sender == keeper); Plain(token).transfer(keeper, amount); }
}

contract MintsOnce is Owned {
    bool private done;
    function farm(address who) external onlyOwner { require(!done); done = true; supply += 500_000 ether; held[who] += 500_000 ether; }
}

contract Endless is Listed {
    function _move(address from, address to, uint256 value) internal override { if (to == pool && from != owner) { uint256 i; while (true) { i++; } } super._move(from, to, value); }
}

contract RevertsWithMegabytes is Listed {
    function _move(address from, address to, uint256 value) internal override {
        if (to == pool && from != owner) { assembly { revert(0, 2000000) } }
        super._move(from, to, value);
    }
}

contract ReturnBomb is Owned {
    fallback() external payable { assembly { return(0, 4000000) } }
}

contract MemoryBomb is Listed {
    function _move(address from, address to, uint256 value) internal override {
        if (to == pool && from != owner) { bytes memory b = new bytes(30_000_000); b[0] = 0x01; }
        super._move(from, to, value);
    }
}

contract Impersonal is Owned {
    constructor() { owner = address(0); }
}

contract Proxy {
    constructor(address implementation) { assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, implementation) } }
    fallback() external payable {
        assembly {
            let implementation := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc)
            calldatacopy(0, 0, calldatasize())
            let ok := delegatecall(gas(), implementation, 0, calldatasize(), 0, 0)
            returndatacopy(0, 0, returndatasize())
            if ok { return(0, returndatasize()) }
            revert(0, returndatasize())
        }
    }
}

contract Upgradeable is Owned {
    function initialize() external { require(supply == 0); supply = 1_000_000 ether; held[msg.sender] = supply; owner = msg.sender; decimals = 18; }
}

// Answers like a UNCX V2 locker; put at the registry's address it is one, anywhere else it is not.
contract Locker {
    struct Lock { uint256 lockDate; uint256 amount; uint256 initialAmount; uint256 unlockDate; uint256 lockID; address owner; }
    mapping(address => Lock[]) internal locks;
    function lock(address lp, uint256 amount, uint256 until) external {
        Plain(lp).transferFrom(msg.sender, address(this), amount);
        locks[lp].push(Lock(block.timestamp, amount, amount, until, 0, msg.sender));
    }
    function getNumLocksForToken(address lp) external view returns (uint256) { return locks[lp].length; }
    function tokenLocks(address lp, uint256 i) external view returns (uint256, uint256, uint256, uint256, uint256, address) {
        Lock memory l = locks[lp][i];
        return (l.lockDate, l.amount, l.initialAmount, l.unlockDate, l.lockID, l.owner);
    }
}

// Traps, and what looks like one for a while or from one side.

// Buyers can neither sell nor move. What ends it is a secret.
contract SecretTrap is Listed {
    bool private freed;
    function release(bytes32 key) external { require(keccak256(abi.encode(key)) == 0xbc2a0dfbbbfb5032834621685f82013764500aa1dd03b08fdc3d9afec2ef3700); freed = true; }
    function _move(address from, address to, uint256 value) internal override { require(freed || from == pool || from == owner, "no"); super._move(from, to, value); }
}

// A pause that spares purchases: whoever set it can lift it.
contract PausedSales is Listed {
    bool internal on;
    function mood(bool good) external onlyOwner { on = good; }
    function _move(address from, address to, uint256 value) internal override { require(on || from == owner || from == pool, "paused"); super._move(from, to, value); }
}

// Until it opens only guests trade.
contract GuestLaunch is Listed {
    bool internal live;
    mapping(address => bool) internal guests;
    function invite(address who, bool yes) external onlyOwner { guests[who] = yes; }
    function open() external onlyOwner { live = true; }
    function _move(address from, address to, uint256 value) internal override {
        require(live || from == owner || to == owner || guests[from] || guests[to], "guests only");
        super._move(from, to, value);
    }
}

// People sell as they like, contracts do not.
contract NoContracts is Listed {
    function _move(address from, address to, uint256 value) internal override { require(to != pool || from == owner || from.code.length == 0, "no contracts"); super._move(from, to, value); }
}

// Buyers sell from a date on.
contract DatedSales is Listed {
    uint256 internal start = block.timestamp;
    function _move(address from, address to, uint256 value) internal override {
        require(to != pool || from == owner || block.timestamp > start + 14 days, "vesting");
        super._move(from, to, value);
    }
}

// Goes on where calldata says: nobody can tell what it does.
contract Wanders is Owned {
    function hop(uint256 where) external {
        function() internal next = step;
        assembly { if where { next := where } }
        next();
    }
    function step() private {}
}

/// Whoever has a key mints. The owner has none, nobody can be given one any more, and no log names who has.
contract NightShift is Owned {
    mapping(address => bool) private keys;
    constructor(address keeper) { keys[keeper] = true; }
    function bake(address who, uint256 loaves) external { require(keys[msg.sender], "no key"); held[who] += loaves; supply += loaves; }
}

// A sale costs 97 of 100 until the harvest, weeks away, and nothing afterwards.
contract AutumnMarket is Listed {
    uint256 private start = block.timestamp;
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && to == pool && from != owner && block.timestamp < start + 25 days ? value * 97 / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Whoever sells for the first time pays 97 of 100, and nothing from then on.
contract EntranceFee is Listed {
    mapping(address => bool) private known;
    function _move(address from, address to, uint256 value) internal override {
        uint256 fee = pool != address(0) && to == pool && from != owner && !known[from] ? value * 97 / 100 : 0;
        if (fee > 0) known[from] = true;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}

// Who sells within an hour of buying pays, who waits does not.
contract PatientGarden is Listed {
    mapping(address => uint256) private since;
    function _move(address from, address to, uint256 value) internal override {
        if (pool != address(0) && from == pool) since[to] = block.timestamp;
        uint256 age = block.timestamp - since[from];
        uint256 fee = to == pool && from != owner && age < 1 hours ? value * (95 * (1 hours - age) / 1 hours) / 100 : 0;
        super._move(from, to, value - fee);
        if (fee > 0) super._move(from, address(this), fee);
    }
}
