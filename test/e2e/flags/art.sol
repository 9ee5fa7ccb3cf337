// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// An ERC-721 with numbers for art.
contract Collection {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event ApprovalForAll(address indexed owner, address indexed operator, bool approved);

    string public constant name = "Portraits";
    string public constant symbol = "PORT";
    mapping(uint256 => address) public ownerOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    function mint(address to, uint256 id) external {
        require(ownerOf[id] == address(0), "taken");
        ownerOf[id] = to;
        emit Transfer(address(0), to, id);
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function transferFrom(address from, address to, uint256 id) external {
        require(ownerOf[id] == from && (msg.sender == from || isApprovedForAll[from][msg.sender]), "not allowed");
        ownerOf[id] = to;
        emit Transfer(from, to, id);
    }
}

/// Sells NFTs of owners who approved it: the price goes to them at once.
contract Gallery {
    function buy(Collection art, address seller, uint256 id) external payable {
        art.transferFrom(seller, msg.sender, id);
        (bool paid, ) = seller.call{value: msg.value}("");
        require(paid, "seller refused");
    }
}
