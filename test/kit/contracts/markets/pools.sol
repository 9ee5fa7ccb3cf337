// SPDX-License-Identifier: Apache-2.0
// Liquidity for pools of every shape, and stand-ins for what no package holds: an exchange of the Solidly shape, V4's
// position manager, and lockers that answer as UNCX's position locker and Team Finance's deposits do.
pragma solidity ^0.8.20;

interface Token {
    function transfer(address to, uint256 value) external returns (bool);
    function transferFrom(address from, address to, uint256 value) external returns (bool);
    function approve(address spender, uint256 value) external returns (bool);
    function balanceOf(address who) external view returns (uint256);
}

interface Nft { function transferFrom(address from, address to, uint256 id) external; }

struct Key { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }
struct Change { int24 tickLower; int24 tickUpper; int256 liquidityDelta; bytes32 salt; }
struct Order { bool zeroForOne; int256 amountSpecified; uint160 limit; }

interface PoolV3 {
    function token0() external view returns (address);
    function token1() external view returns (address);
    function mint(address to, int24 lower, int24 upper, uint128 amount, bytes calldata data) external returns (uint256, uint256);
    function burn(int24 lower, int24 upper, uint128 amount) external returns (uint256, uint256);
    function collect(address to, int24 lower, int24 upper, uint128 most0, uint128 most1) external returns (uint128, uint128);
    function swap(address to, bool zeroForOne, int256 amount, uint160 limit, bytes calldata data) external returns (int256, int256);
}

interface Manager {
    function unlock(bytes calldata data) external returns (bytes memory);
    function modifyLiquidity(Key calldata key, Change calldata change, bytes calldata hookData) external returns (int256, int256);
    function swap(Key calldata key, Order calldata order, bytes calldata hookData) external returns (int256);
    function sync(address currency) external;
    function settle() external payable returns (uint256);
    function take(address currency, address to, uint256 amount) external;
}

/// Gives liquidity to V3 and V4 pools, takes it back, and swaps. Whoever calls pays, by allowance or with the call.
contract Provider {
    receive() external payable {}

    function mint3(address pool, int24 lower, int24 upper, uint128 liquidity) external {
        PoolV3(pool).mint(address(this), lower, upper, liquidity, abi.encode(msg.sender));
    }

    function burn3(address pool, int24 lower, int24 upper, uint128 liquidity) external {
        PoolV3(pool).burn(lower, upper, liquidity);
        PoolV3(pool).collect(msg.sender, lower, upper, type(uint128).max, type(uint128).max);
    }

    function swap3(address pool, bool zeroForOne, int256 amount) external {
        PoolV3(pool).swap(msg.sender, zeroForOne, amount, zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341, abi.encode(msg.sender));
    }

    function uniswapV3MintCallback(uint256 a0, uint256 a1, bytes calldata data) external {
        address payer = abi.decode(data, (address));
        if (a0 > 0) Token(PoolV3(msg.sender).token0()).transferFrom(payer, msg.sender, a0);
        if (a1 > 0) Token(PoolV3(msg.sender).token1()).transferFrom(payer, msg.sender, a1);
    }

    function uniswapV3SwapCallback(int256 d0, int256 d1, bytes calldata data) external {
        address payer = abi.decode(data, (address));
        if (d0 > 0) Token(PoolV3(msg.sender).token0()).transferFrom(payer, msg.sender, uint256(d0));
        if (d1 > 0) Token(PoolV3(msg.sender).token1()).transferFrom(payer, msg.sender, uint256(d1));
    }

    function modify4(address manager, Key calldata key, Change memory change) public payable virtual {
        Manager(manager).unlock(abi.encode(msg.sender, key, change, Order(false, 0, 0)));
        payable(msg.sender).transfer(address(this).balance);
    }

    function swap4(address manager, Key calldata key, bool zeroForOne, int256 amount) external payable {
        uint160 limit = zeroForOne ? 4295128740 : 1461446703485210103287273052203988822378723970341;
        Manager(manager).unlock(abi.encode(msg.sender, key, Change(0, 0, 0, 0), Order(zeroForOne, amount, limit)));
        payable(msg.sender).transfer(address(this).balance);
    }

    function unlockCallback(bytes calldata data) external returns (bytes memory) {
        (address who, Key memory key, Change memory change, Order memory order) = abi.decode(data, (address, Key, Change, Order));
        int256 delta;
        if (order.amountSpecified != 0) delta = Manager(msg.sender).swap(key, order, "");
        else (delta, ) = Manager(msg.sender).modifyLiquidity(key, change, "");
        _even(who, key.currency0, int128(delta >> 128));
        _even(who, key.currency1, int128(delta));
        return "";
    }

    function _even(address who, address currency, int128 owed) private {
        if (owed > 0) {
            Manager(msg.sender).take(currency, who, uint256(int256(owed)));
        } else if (owed < 0) {
            uint256 amount = uint256(-int256(owed));
            Manager(msg.sender).sync(currency);
            if (currency == address(0)) {
                Manager(msg.sender).settle{value: amount}();
            } else {
                Token(currency).transferFrom(who, msg.sender, amount);
                Manager(msg.sender).settle();
            }
        }
    }
}

/// Stand-in for v4-periphery's PositionManager: positions are NFTs, and the number of the NFT is the position's salt.
contract PositionManagerStandIn is Provider {
    mapping(uint256 => address) public ownerOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    uint256 public nextTokenId = 1;
    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    function mint(address manager, Key calldata key, int24 lower, int24 upper, int256 liquidity) external payable {
        ownerOf[nextTokenId] = msg.sender;
        emit Transfer(address(0), msg.sender, nextTokenId);
        super.modify4(manager, key, Change(lower, upper, liquidity, bytes32(nextTokenId++)));
    }
    function modify4(address manager, Key calldata key, Change memory change) public payable override {
        require(ownerOf[uint256(change.salt)] == msg.sender, "NotApproved");
        super.modify4(manager, key, change);
    }
    function setApprovalForAll(address who, bool yes) external { isApprovedForAll[msg.sender][who] = yes; }
    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && (from == msg.sender || isApprovedForAll[from][msg.sender]), "NOT_AUTHORIZED");
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }
}

/// Stand-in: the shape of Aerodrome's volatile pool. Fees leave the pool with every swap.
contract SolidlyPoolStandIn {
    address public immutable token0;
    address public immutable token1;
    bool public immutable stable;
    address public immutable factory = msg.sender;
    uint256 public constant fee = 30;
    uint256 private reserve0;
    uint256 private reserve1;
    uint256 public totalSupply;
    mapping(address => uint256) public balanceOf;
    event Transfer(address indexed from, address indexed to, uint256 value);
    event Mint(address indexed sender, uint256 amount0, uint256 amount1);
    event Burn(address indexed sender, address indexed to, uint256 amount0, uint256 amount1);

    constructor(address a, address b, bool s) { (token0, token1, stable) = (a, b, s); }

    function getReserves() external view returns (uint256, uint256, uint256) { return (reserve0, reserve1, block.timestamp); }

    function transfer(address to, uint256 value) external returns (bool) {
        balanceOf[msg.sender] -= value;
        balanceOf[to] += value;
        emit Transfer(msg.sender, to, value);
        return true;
    }

    function mint(address to) external {
        uint256 a0 = Token(token0).balanceOf(address(this)) - reserve0;
        uint256 a1 = Token(token1).balanceOf(address(this)) - reserve1;
        uint256 value = totalSupply == 0 ? a0 : (a0 * totalSupply) / reserve0;
        totalSupply += value;
        balanceOf[to] += value;
        emit Transfer(address(0), to, value);
        emit Mint(msg.sender, a0, a1);
        _sync();
    }

    function burn(address to) external {
        uint256 value = balanceOf[address(this)];
        (uint256 a0, uint256 a1) = ((reserve0 * value) / totalSupply, (reserve1 * value) / totalSupply);
        totalSupply -= value;
        balanceOf[address(this)] = 0;
        Token(token0).transfer(to, a0);
        Token(token1).transfer(to, a1);
        emit Burn(msg.sender, to, a0, a1);
        _sync();
    }

    function getAmountOut(uint256 amount, address tokenIn) public view returns (uint256) {
        uint256 net = amount - (amount * fee) / 10_000;
        (uint256 rIn, uint256 rOut) = tokenIn == token0 ? (reserve0, reserve1) : (reserve1, reserve0);
        return (net * rOut) / (rIn + net);
    }

    function swap(uint256 out0, uint256 out1, address to, bytes calldata) external {
        if (out0 > 0) Token(token0).transfer(to, out0);
        if (out1 > 0) Token(token1).transfer(to, out1);
        (uint256 b0, uint256 b1) = (Token(token0).balanceOf(address(this)), Token(token1).balanceOf(address(this)));
        uint256 in0 = b0 > reserve0 - out0 ? b0 - (reserve0 - out0) : 0;
        uint256 in1 = b1 > reserve1 - out1 ? b1 - (reserve1 - out1) : 0;
        require(in0 > 0 || in1 > 0, "IIA");
        if (in0 > 0) Token(token0).transfer(factory, (in0 * fee) / 10_000);
        if (in1 > 0) Token(token1).transfer(factory, (in1 * fee) / 10_000);
        (b0, b1) = (Token(token0).balanceOf(address(this)), Token(token1).balanceOf(address(this)));
        require(b0 * b1 >= reserve0 * reserve1, "K");
        _sync();
    }

    function _sync() private { (reserve0, reserve1) = (Token(token0).balanceOf(address(this)), Token(token1).balanceOf(address(this))); }
}

/// Stand-in for Aerodrome's factory.
contract SolidlyFactoryStandIn {
    mapping(address => mapping(address => mapping(bool => address))) public getPool;

    function createPool(address a, address b, bool stable) external returns (address pool) {
        (address t0, address t1) = a < b ? (a, b) : (b, a);
        pool = address(new SolidlyPoolStandIn(t0, t1, stable));
        getPool[a][b][stable] = getPool[b][a][stable] = pool;
    }
}

/// Stand-in for Slipstream's factory, which names V3 pools by their tick spacing.
contract SpacingFactoryStandIn {
    mapping(address => mapping(address => mapping(int24 => address))) public getPool;
    function set(address a, address b, int24 spacing, address pool) external { getPool[a][b][spacing] = getPool[b][a][spacing] = pool; }
}

/// Stand-in: answers as UNCX's V3 locker does for locks of one person.
contract PositionLockerStandIn {
    struct Lock { uint256 lockId; address manager; address pool; uint256 id; address owner; address pending; address extra; address collect; uint256 unlockDate; uint16 country; uint256 fee; }
    mapping(address => Lock[]) private locks;

    function lock(address manager, address pool, uint256 id, uint256 until) external {
        Nft(manager).transferFrom(msg.sender, address(this), id);
        locks[msg.sender].push(Lock(7, manager, pool, id, msg.sender, address(0), address(0), msg.sender, until, 1, 0));
    }
    function getNumUserLocks(address who) external view returns (uint256) { return locks[who].length; }
    function getUserLockAtIndex(address who, uint256 i) external view returns (Lock memory) { return locks[who][i]; }
}

/// Stand-in: lists pools of two tokens as factories of Liquidity Book do, which may not answer.
contract BookStandIn {
    struct Listed { uint16 binStep; address pair; bool createdByOwner; bool ignoredForRouting; }
    mapping(address => mapping(address => Listed[])) private listed;
    bool public mute;

    function list(address a, address b, address pair) external { listed[a][b].push(Listed(25, pair, false, false)); listed[b][a].push(Listed(25, pair, false, false)); }
    function silence(bool yes) external { mute = yes; }
    function getAllLBPairs(address a, address b) external view returns (Listed[] memory) { require(!mute, "mute"); return listed[a][b]; }
}

/// Stand-in: answers as Clanker's first lockers do, one for each position.
contract OneLockStandIn {
    uint256 public end;
    constructor(uint256 until) { end = until; }
}

/// Stand-in: opens a position and locks it in a contract of its own, in one transaction, and announces that as Clanker's first factories do.
contract LockMakerStandIn {
    /// It answers like one of its locks, without being one.
    uint256 public constant end = type(uint256).max;

    event deployed(address indexed lockerAddress, address indexed owner, uint256 tokenId, uint256 lockingPeriod);

    /// `keeper`: who gets the position instead of the announced contract.
    function launch(address manager, address[2] calldata pair, uint256[2] calldata given, bytes calldata mint, uint256 until, address keeper) external {
        for (uint256 i = 0; i < 2; i++) {
            Token(pair[i]).transferFrom(msg.sender, address(this), given[i]);
            Token(pair[i]).approve(manager, given[i]);
        }
        (bool done, bytes memory answer) = manager.call(mint);
        require(done, "mint");
        uint256 id = abi.decode(answer, (uint256));
        address locker = address(new OneLockStandIn(until));
        emit deployed(locker, msg.sender, id, until);
        Nft(manager).transferFrom(address(this), keeper == address(0) ? locker : keeper, id);
    }
}

/// Stand-in: answers as Team Finance does for deposits of one person.
contract DepositsStandIn {
    struct Deposit { address token; address owner; uint256 amount; uint256 unlockTime; bool withdrawn; uint256 tokenId; bool isNft; }
    Deposit[] private deposits;
    mapping(address => uint256[]) private of_;

    function lock(address token, uint256 amount, uint256 until, bool isNft) external {
        Nft(token).transferFrom(msg.sender, address(this), amount);
        of_[msg.sender].push(deposits.length);
        deposits.push(Deposit(token, msg.sender, isNft ? 1 : amount, until, false, isNft ? amount : 0, isNft));
    }
    function getDepositsByWithdrawalAddress(address who) external view returns (uint256[] memory) { return of_[who]; }
    function getDepositDetails(uint256 id) external view returns (address, address, uint256, uint256, bool, uint256, bool, uint256, bool) {
        Deposit memory d = deposits[id];
        return (d.token, d.owner, d.amount, d.unlockTime, d.withdrawn, d.tokenId, d.isNft, 0, false);
    }
}

/// Stand-in: answers as GoPlus's locker of tokens does.
contract GoPlusStandIn {
    struct Lock { uint256 lockId; address token; bool isLp; address pendingOwner; address owner; uint24 tgeBps; uint24 cycleBps; uint256 amount; uint256 startTime; uint256 endTime; uint256 cycle; uint256 unlockedAmount; bytes32 fee; }
    mapping(uint256 => Lock) public locks;
    mapping(address => uint256[]) private of_;
    uint256 private next = 1;

    function lock(address token, uint256 amount, uint256 until, bool) external {
        Nft(token).transferFrom(msg.sender, address(this), amount);
        locks[next] = Lock(next, token, true, address(0), msg.sender, 0, 0, amount, block.timestamp, until, 0, 0, 0);
        of_[token].push(next++);
    }
    function tokenLocks(address token) external view returns (uint256[] memory) { return of_[token]; }
}

/// Stand-in: answers as GoPlus's locker of V3 positions does.
contract GoPlusPositionsStandIn {
    struct Lock { uint256 lockId; address manager; address pendingOwner; address owner; address collector; address pool; uint256 collectFee; uint256 id; uint256 startTime; uint256 endTime; }
    mapping(uint256 => Lock) public locks;
    mapping(address => uint256[]) private of_;
    uint256 private next = 1;

    function lock(address manager, address pool, uint256 id, uint256 until) external {
        Nft(manager).transferFrom(msg.sender, address(this), id);
        locks[next] = Lock(next, manager, address(0), msg.sender, msg.sender, pool, 0, id, block.timestamp, until);
        of_[msg.sender].push(next++);
    }
    function getUserLocks(address who) external view returns (uint256[] memory) { return of_[who]; }
}

/// Stand-in: answers as GoPlus's locker of V4 positions does.
contract GoPlusV4StandIn {
    struct Key { address a; address b; uint24 fee; int24 spacing; address hooks; }
    struct Lock { uint256 lockId; address pendingOwner; address owner; address collector; uint256 collectFee; uint256 lpFee; uint256 id; Key key; uint256 amount; uint256 until; }
    mapping(uint256 => Lock) private locks;
    mapping(address => uint256[]) private of_;
    uint256 private next = 1;

    function lock(address manager, uint256 id, uint256 until, bool) external {
        Nft(manager).transferFrom(msg.sender, address(this), id);
        locks[next].lockId = next;
        (locks[next].owner, locks[next].id, locks[next].amount, locks[next].until) = (msg.sender, id, 1, until);
        of_[msg.sender].push(next++);
    }
    function getUserLocks(address who) external view returns (uint256[] memory) { return of_[who]; }
    function getLockInfo(uint256 id) external view returns (Lock memory) { return locks[id]; }
}

/// Stand-in: announces locks of V4 positions and answers for them as UNCX does. Lists them for nobody.
contract UncxV4StandIn {
    struct PoolKey { address a; address b; uint24 fee; int24 spacing; address hooks; }
    struct Lock { uint256 lockId; address owner; uint256 id; PoolKey key; uint256 amount; uint256 until; address collector; bool nft; uint256 fee; }
    mapping(uint256 => Lock) private all;
    uint256 private next = 1;
    event LiquidityLocked(uint256 indexed lockId, address indexed owner, address manager, uint256 id, bytes32 indexed pool, uint256 amount, uint256 until);

    function lock(address manager, uint256 id, uint256 until, bytes32 pool) external {
        Nft(manager).transferFrom(msg.sender, address(this), id);
        Lock storage l = all[next];
        (l.lockId, l.owner, l.id, l.amount, l.until) = (next, msg.sender, id, 1, until);
        emit LiquidityLocked(next++, msg.sender, manager, id, pool, 1, until);
    }
    function extend(uint256 lockId, uint256 until) external { all[lockId].until = until; }
    function locks(uint256 id) external view returns (uint256, address, uint256, PoolKey memory, uint256, uint256, address, bool, uint256) {
        Lock memory l = all[id];
        return (l.lockId, l.owner, l.id, l.key, l.amount, l.until, l.collector, l.nft, l.fee);
    }
}

/// Stand-in: knows the gauge of each pool, as Aerodrome's voter does.
contract VoterStandIn {
    mapping(address => address) public gauges;
    function set(address pool, address gauge) external { gauges[pool] = gauge; }
}

/// Stand-in: a gauge of pool tokens and of positions.
contract GaugeStandIn {
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(uint256 => bool)) public stakedContains;

    function deposit(address token, uint256 amount) external {
        Nft(token).transferFrom(msg.sender, address(this), amount);
        balanceOf[msg.sender] += amount;
        stakedContains[msg.sender][amount] = true;
    }
}

/// A hook of V4 pools, called before every swap. Whoever took it decides from which block on one token is not taken, and may close it.
contract HookStandIn {
    address private keeper;
    address private token;
    uint256 private last;
    bool private closed;

    function take(address t, uint256 until) external { require(keeper == address(0)); (keeper, token, last) = (msg.sender, t, until); }
    function rest(bool yes) external { require(msg.sender == keeper); closed = yes; }
    function beforeSwap(address, Key calldata key, Order calldata order, bytes calldata) external view returns (bytes4, int256, uint24) {
        address given = order.zeroForOne ? key.currency0 : key.currency1;
        require(given != token || (!closed && block.number <= last), "resting");
        return (this.beforeSwap.selector, 0, 0);
    }
}

/// Keeps positions of V3. Whoever calls it brings what is in one to any wallet.
interface PositionsOf3 {
    struct Less { uint256 id; uint128 liquidity; uint256 least0; uint256 least1; uint256 deadline; }
    struct Out { uint256 id; address to; uint128 most0; uint128 most1; }
    function decreaseLiquidity(Less calldata less) external returns (uint256, uint256);
    function collect(Out calldata out) external returns (uint256, uint256);
}
contract PositionShed {
    function open(PositionsOf3 positions, uint256 id, uint128 liquidity, address to) external {
        positions.decreaseLiquidity(PositionsOf3.Less(id, liquidity, 0, 0, block.timestamp));
        positions.collect(PositionsOf3.Out(id, to, type(uint128).max, type(uint128).max));
    }
}
